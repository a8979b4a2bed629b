/*
 * The worker of the page: the program, as emscripten has compiled it, stands before this text as
 * createProgram. Each run is a new instance with an empty memory and file system, in which files have the names
 * that the page gives them. Here are also the limits of a browser: on the bytes that a run writes, and what it
 * shows of standard error while it goes on.
 *
 * In: { module }, the program, once; and { id, args, files: [{ name, data: a string or a Blob }] }.
 * Out: { id, progress: a line }; and { id, status, seconds, answer, errors, files: [{ name, data }] }, or
 * { id, crash: what is known of it }.
 */
"use strict";
const MOST_BYTES = 700e6; /* of all files of a run: they are in memory */
const ENOSPC = 51; /* in the C library of emscripten, and no answer to anything else here */
const ANSWER = "/dev/answer"; /* standard output: a folder that is not looked through for files */

let setModule;
const module = new Promise((resolve) => { setModule = resolve; });

/* Lines of standard error, which is a terminal: there a line of the progress begins and ends with \r. */
class Errors {
  constructor(id) { this.id = id; this.bytes = []; this.text = ""; }
  put(byte) {
    if (byte !== 10 && byte !== 13) { this.bytes.push(byte); return; }
    const line = new TextDecoder().decode(Uint8Array.from(this.bytes));
    this.bytes = [];
    if (byte === 10) this.text += line + "\n";
    else if (line.trim()) self.postMessage({ id: this.id, progress: line.trim() });
  }
}

/* Refuses to write more than MOST_BYTES, as a full disk does. */
function limitFiles(FS) {
  const operations = FS.filesystems.MEMFS.ops_table.file.stream, write = operations.write;
  let written = 0;
  operations.write = (stream, buffer, offset, length, ...rest) => {
    written += length;
    if (written > MOST_BYTES) throw new FS.ErrnoError(ENOSPC);
    return write(stream, buffer, offset, length, ...rest);
  };
}

async function placeFiles(FS, files, args) {
  const folder = (name) => FS.mkdirTree(("/" + name).replace(/\/[^/]*$/, ""));
  for (const { name, data } of files) {
    folder(name);
    FS.writeFile("/" + name, typeof data === "string" ? data : new Uint8Array(await data.arrayBuffer()), { canOwn: true });
  }
  for (const arg of args) if (/^--[a-z-]+=[^ ]*\//.test(arg)) folder(arg.replace(/^[^=]*=/, ""));
}

/* Calls visit(path, node) for each file below a folder. */
function visitFiles(FS, path, visit) {
  for (const name of FS.readdir(path || "/")) {
    const whole = `${path}/${name}`;
    if (name === "." || name === ".." || whole === "/dev" || whole === "/proc") continue;
    const { node } = FS.lookupPath(whole);
    if (FS.isDir(node.mode)) visitFiles(FS, whole, visit); else visit(whole, node);
  }
}

async function run({ id, args, files }) {
  const errors = new Errors(id), given = new Map();
  const compiled = await module;
  const program = await createProgram({
    instantiateWasm(imports, receive) { WebAssembly.instantiate(compiled, imports).then(receive); return {}; },
    thisProgram: "particles",
  });
  const FS = program.FS;
  FS.ignorePermissions = true; /* umask() of emscripten is 0777, so that files have no rights at all */
  program.TTY.ttys.forEach((tty) => { tty.ops.put_char = (_, byte) => errors.put(byte); });
  FS.close(FS.getStream(1));
  FS.open(ANSWER, "w"); /* takes the lowest free number, 1 */
  FS.chdir("/");
  await placeFiles(FS, files, args);
  limitFiles(FS);
  visitFiles(FS, "", (path, node) => given.set(path, node));
  const start = performance.now();
  const status = program.callMain(args);
  const seconds = (performance.now() - start) / 1000;
  errors.put(10);
  const written = [];
  visitFiles(FS, "", (path, node) => {
    if (given.get(path) !== node) written.push({ name: path.slice(1), data: FS.readFile(path) });
  });
  const answer = FS.readFile(ANSWER);
  return { id, status, seconds, answer, errors: errors.text.trimEnd(), files: written };
}

self.onmessage = async ({ data }) => {
  if (data.module) { setModule(data.module); return; }
  try {
    const result = await run(data);
    self.postMessage(result, [result.answer.buffer, ...result.files.map((file) => file.data.buffer)]);
  } catch (error) { /* of JavaScript or of WebAssembly, or anything else */
    self.postMessage({ id: data.id, crash: String(error?.message ?? error) });
  }
};
