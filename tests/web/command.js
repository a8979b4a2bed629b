/*
 * node command.js ARGUMENT...: the program of the page PAGE, build/web/particles.html if that is not set, as a command.
 * Its worker runs here, with the files that the arguments name, or files of options that they name. What it writes
 * goes to its places, below this folder.
 */
"use strict";
const fs = require("fs");
const zlib = require("zlib");

const args = process.argv.slice(2);
const page = fs.readFileSync(process.env.PAGE || "build/web/particles.html", "utf8");
const part = (id) => page.split(`id="${id}">`)[1].split("</script>")[0];

const files = new Map();
function find(text) {
  for (const name of text.split(/[\s=]+/)) {
    if (files.has(name) || !name || !fs.statSync(name, { throwIfNoEntry: false })?.isFile()) continue;
    files.set(name, new Blob([fs.readFileSync(name)]));
    if (name.endsWith(".conf")) find(fs.readFileSync(name, "utf8"));
  }
}
args.forEach(find);

function finish({ crash, status, answer, errors, files: written }) {
  if (crash !== undefined) errors = `crash: ${crash}`;
  for (const { name, data } of written ?? []) fs.writeFileSync(name, data);
  for (let at = 0; at < answer?.length;) at += fs.writeSync(1, answer, at);
  if (errors) fs.writeSync(2, errors + "\n");
  process.exitCode = status ?? 70;
}

const given = () => [...files].map(([name, data]) => ({ name, data }));
const worker = { location: { href: "" } };
worker.postMessage = (message) => { if (message.progress === undefined) finish(message); };
new Function("self", "location", part("worker"))(worker, worker.location);
WebAssembly.compile(zlib.gunzipSync(Buffer.from(part("module"), "base64"))).then((module) => {
  worker.onmessage({ data: { module } });
  worker.onmessage({ data: { id: 1, args, files: given() } });
});
