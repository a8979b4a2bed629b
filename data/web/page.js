(() => {
"use strict";
const MOST_SHOWN = 1e6; /* bytes of an input that is shown, and can be changed; */
const MOST_READ = 300e6; /* of a file that is taken at all; */
const MOST_LINKED = 8e6; /* of what a link unpacks to; */
const MOST_LINES = 1000; /* lines of an answer that are shown, or fewer, if they are long */

const element = (id) => document.getElementById(id);
const create = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};
const button = (text, onclick, label) => {
  const made = create("button", { type: "button", textContent: text, onclick });
  if (label) made.setAttribute("aria-label", label);
  return made;
};
const sizeText = (bytes) => bytes < 1e3 ? `${bytes} bytes` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
const nameOf = (option) => option.replace(/=.*/s, "");

/* ---- The program ------------------------------------------------------------------------------ */

const throughStream = async (data, stream, most = Infinity) => {
  const parts = [];
  let size = 0;
  for (const reader = new Blob([data]).stream().pipeThrough(stream).getReader();;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > most) throw new Error("it is too large");
    parts.push(value);
  }
};
const fromBase64 = (text) => Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const unpackPart = (id) => throughStream(fromBase64(element(id).textContent.trim()), new DecompressionStream("gzip"));

const workerURL = URL.createObjectURL(new Blob([element("worker").textContent], { type: "text/javascript" }));
const calls = new Map(); /* by their numbers, what is to be done with the answer, and with lines of progress */
let worker = null, lastCall = 0, compiled = null; /* a promise of the program, which all workers share */

/* A worker that has begun, instead of the one before, which ends with all that it does. */
function startWorker() {
  worker?.terminate();
  calls.clear();
  const started = worker = new Worker(workerURL);
  const fail = (crash) => { for (const call of [...calls.values()]) call.finish({ crash }); };
  worker.onmessage = ({ data }) => {
    if (worker !== started) return;
    if (data.progress !== undefined) calls.get(data.id)?.progress?.(data.progress);
    else calls.get(data.id)?.finish(data);
  };
  worker.onerror = (event) => { event.preventDefault(); fail(event.message || "the worker has ended"); };
  compiled.then((module) => started.postMessage({ module }));
}

/* What the program does with these arguments: see worker.js. */
function callProgram(args, given, progress) {
  const id = ++lastCall;
  return new Promise((resolve) => {
    calls.set(id, { progress, finish: (result) => { calls.delete(id); resolve(result); } });
    worker.postMessage({ id, args, files: given });
  });
}

/* ---- The input and other files ----------------------------------------------------------------- */

const files = new Map(); /* by name: { data: a string or a Blob, item, error } */
let large = null; /* the input, a Blob, where it is too large to be shown */

const inputName = () => element("name").value.replace(/^-/, "./-") || "input.txt";

function setInput(name, data) {
  const isShown = typeof data === "string";
  large = isShown ? null : data;
  element("name").value = name;
  element("input").value = isShown ? data : "";
  element("written").hidden = !isShown;
  element("large").hidden = isShown;
  if (!isShown) element("large").firstElementChild.textContent = `${sizeText(data.size)} are read, and not shown.`;
  clearErrors();
  showCommand();
}

function addFile(name, data) {
  files.get(name)?.item.remove();
  const error = create("p", { className: "error" });
  error.setAttribute("role", "alert");
  const remove = () => { files.delete(name); item.remove(); };
  const item = create("li", {}, create("span", { textContent: name }),
    create("span", { className: "quiet", textContent: sizeText(data.size ?? new Blob([data]).size) }),
    button("Input", async () => { remove(); await takeInput(name, data); }, `Use ${name} as the input`),
    button("×", remove, `Remove ${name}`), error);
  files.set(name, { data, item, error });
  element("files").append(item);
}

/* Takes it as the input: a text, or a Blob where that would be a large one. */
async function takeInput(name, data) {
  setInput(name, typeof data === "string" || data.size > MOST_SHOWN ? data : await data.text());
}

/* An input begins with a number that stands alone. */
const isInput = (text) => /^\d+$/.test(text.replace(/^\ufeff/, "").replace(/#.*/g, "").trimStart().split("\n")[0].trim());

async function takeFiles(list) {
  clearErrors();
  for (const file of list) {
    if (file.size > MOST_READ) {
      report(`${file.name}: ${sizeText(file.size)} are too large for a browser; the most is ${sizeText(MOST_READ)}`);
      continue;
    }
    try {
      if (isInput(await file.slice(0, 4096).text())) await takeInput(file.name, file);
      else addFile(file.name, file.size > MOST_SHOWN ? file : await file.text());
      if (file.name.endsWith(".conf")) addOption(`--config=${file.name}`);
    } catch (error) {
      report(`${file.name}: cannot be read: ${error.message}`);
    }
  }
}

/* ---- Options ----------------------------------------------------------------------------------- */

let table = new Map(); /* of --completion, by name: { name, value, uses, words, help } */
const keys = new Map(); /* of the same: "wall left" has the text of its keys */
const usualFiles = { animate: "animation.html", report: "report.html", events: "events.csv", trajectory: "trajectory.xyz",
  structure: "structure.csv", fields: "fields.csv", forces: "forces.csv", picture: "picture.svg", final: "final.txt",
  stats: "stats.json", "sensitivity-file": "sensitivity.txt" };

function readTable(text) {
  for (const line of text.trimEnd().split("\n")) {
    const parts = line.split("|");
    if (!line.startsWith("--")) { keys.set(parts[0], parts[1] ?? ""); continue; }
    const [whole, uses, words, ...help] = parts, name = whole.replace(/[[=].*/, "");
    if (!/^--(help|version|completion)$/.test(name))
      table.set(name, { name, value: whole.slice(name.length), uses, words, help: help.join("|") });
  }
}

/* What may stand instead of a text: { text, help, goesOn: there is more to write }. */
function findChoices(text) {
  const [, name, value] = /^(-*[^=]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) {
    const part = text.replace(/^-*/, "");
    const found = [...table.values()].filter((row) => row.name.includes(part));
    found.sort((a, b) => b.name.startsWith(`--${part}`) - a.name.startsWith(`--${part}`));
    return found.map((row) => ({ text: row.name + (row.value.startsWith("=") ? "=" : ""), help: row.help,
                                 label: row.name + row.value, goesOn: row.value !== "" }));
  }
  const row = table.get(name), offer = (before, words, goesOn) => words.filter((word) => word.startsWith(value.slice(before.length)))
    .map((word) => ({ text: `${name}=${before}${word}`, label: word, help: "", goesOn: goesOn || word.endsWith("=") }));
  if (!row) return [];
  const kind = name.slice(2), first = value.split(" ")[0].replace(/=.*/, "=");
  if (keys.has(`${kind} ${first}`) && value.includes(" "))
    return offer(value.replace(/[^ ]*$/, ""), keys.get(`${kind} ${first}`).split(" ").filter((key) => !value.includes(` ${key}`) || value.endsWith(key)));
  if ([...keys.keys()].some((key) => key.startsWith(`${kind} `)))
    return offer("", [...keys.keys()].filter((key) => key.startsWith(`${kind} `))
      .map((key) => key.slice(kind.length + 1).replace(/[^=]$/, "$& ")), true);
  if (row.words) return offer(row.value.includes("COLUMNS") ? value.replace(/[^,]*$/, "") : "", row.words.split(" "));
  if (row.value.includes("FILE")) return offer("", usualFiles[kind] ? [usualFiles[kind]] : [...files.keys()]);
  return [];
}

const rows = () => [...element("options").children].map((row) => {
  const [input, , help, error] = row.children, text = input.value.trim();
  return { row, input, help, error, option: text && text.replace(/^-*/, (dashes) => dashes || "--") };
});

/* Adds a row, before the last one, which is empty; without a text, that one. */
function addOption(text = "") {
  if (text && rows().some(({ option }) => option === text)) return;
  const number = ++lastCall;
  const input = create("input", { value: text, spellcheck: false, placeholder: "add an option, such as --rule=elastic" });
  for (const [name, value] of Object.entries({ role: "combobox", "aria-label": "Option", "aria-autocomplete": "list", "aria-expanded": "false",
    "aria-controls": "choices", "aria-describedby": `help-${number} error-${number}` })) input.setAttribute(name, value);
  const error = create("p", { className: "error", id: `error-${number}` });
  error.setAttribute("role", "alert");
  const row = create("div", { className: "option" }, input, button("×", () => {
    (row.nextElementSibling ?? row).querySelector("input").focus();
    if (row.nextElementSibling) row.remove(); else input.value = "";
    update(row);
  }, "Remove this option"), create("p", { className: "quiet", id: `help-${number}` }), error);
  input.oninput = () => { update(row); openChoices(input); };
  input.onfocus = () => openChoices(input);
  input.onblur = closeChoices;
  input.onkeydown = useChoices;
  element("options").insertBefore(row, text ? element("options").lastElementChild : null);
  update(row);
}

/* After a change of a row: its help, and an empty last row. */
function update(row) {
  const { input, option, help, error } = rows().find((each) => each.row === row) ?? {};
  if (input) {
    help.textContent = table.get(nameOf(option))?.help ?? "";
    error.textContent = "";
    input.removeAttribute("aria-invalid");
    row.querySelector("button").hidden = !option;
  }
  if (rows().at(-1)?.option !== "") addOption();
  showCommand();
}

/* ---- The list of choices at an option ------------------------------------------------------------ */

const choices = element("choices");
let choosing = null; /* { input, found, active: -1 or the number of the one that Enter takes } */

function openChoices(input) {
  const found = findChoices(input.value.trimStart());
  closeChoices();
  if (found.length === 0 || (found.length === 1 && found[0].text === input.value)) return;
  choosing = { input, found, active: -1 };
  choices.replaceChildren(...found.map((choice, k) => {
    const item = create("li", { id: `choice-${k}`, onmousedown: (event) => { event.preventDefault(); take(k); } },
      choice.label, create("small", { textContent: choice.help }));
    item.setAttribute("role", "option");
    return item;
  }));
  if (input.getBoundingClientRect().bottom > innerHeight - 200) input.scrollIntoView({ block: "center" });
  const place = input.getBoundingClientRect();
  Object.assign(choices.style, { left: `${place.left + scrollX}px`, top: `${place.bottom + scrollY}px`, width: `${place.width}px` });
  choices.hidden = false;
  input.setAttribute("aria-expanded", "true");
}

function closeChoices() {
  choosing?.input.setAttribute("aria-expanded", "false");
  choosing?.input.removeAttribute("aria-activedescendant");
  choosing = null;
  choices.hidden = true;
}

function activate(active) {
  choosing.active = active;
  [...choices.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === active)));
  choices.children[active].scrollIntoView({ block: "nearest" });
  choosing.input.setAttribute("aria-activedescendant", `choice-${active}`);
}

function take(k) {
  const { input, found } = choosing;
  input.value = found[k].text;
  update(input.parentElement);
  closeChoices();
  if (found[k].goesOn) openChoices(input); else input.dispatchEvent(new Event("change", { bubbles: true }));
}

function useChoices(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && !choosing) openChoices(event.target);
  if (step && choosing) {
    const count = choosing.found.length;
    activate(choosing.active < 0 && step < 0 ? count - 1 : (choosing.active + step + count) % count);
  } else if (event.key === "Escape" && choosing) {
    closeChoices();
    event.stopPropagation();
  } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
    if (choosing?.active >= 0) take(choosing.active);
    else rows().at(-1).input.focus();
  } else return;
  event.preventDefault();
}

/* ---- The command ---------------------------------------------------------------------------------- */

const has = (name) => rows().some(({ option }) => nameOf(option) === name);
const boxes = () => [...element("shown").querySelectorAll("input")];

/* The arguments, as the command line has them. */
function findArguments(input = inputName()) {
  const options = rows().map(({ option }) => option).filter(Boolean);
  const shown = has("--generate") ? [] : boxes().filter((box) => box.checked && !has(nameOf(box.value))).map((box) => box.value);
  return [...options, ...shown, ...has("--generate") || has("--resume") ? [] : [input, element("end").value.trim()]];
}

const quote = (word) => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
const commandText = () => ["./particles", ...findArguments().map(quote), ">", has("--generate") ? "input.txt" : "answer.txt"].join(" ");
function showCommand() { element("command").textContent = commandText(); }

async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    element("copied").textContent = said;
  } catch {
    element("copied").textContent = "This browser does not let the page copy.";
  }
}

/* ---- Errors, each at its field ----------------------------------------------------------------------- */

function clearErrors() {
  document.querySelectorAll(".error").forEach((place) => { place.textContent = ""; });
  document.querySelectorAll("[aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
}

const report = (text) => { element("error").textContent = text; element("status").textContent = ""; };

/* The field that a message is about, and the place for it. */
function findField(text) {
  const named = [...files.keys()].find((name) => text.startsWith(`${name}:`));
  if (text.startsWith(`${inputName()}:`)) return [large ? element("name") : element("input"), element("input-error")];
  const score = ({ option }) => {
    const value = option.slice(nameOf(option).length + 1);
    return option && 2 * new RegExp(`${nameOf(option).replace(/[^\w-]/g, "\\$&")}(?![\\w-])`).test(text) +
      (value !== "" && [value, value.split(" ")[0]].some((word) => text.includes(`'${word}'`)));
  };
  const best = rows().reduce((a, b) => score(b) > score(a) ? b : a);
  if (score(best) > 0 && !text.startsWith("END_TIME")) return [best.input, best.error];
  if (named) return [files.get(named).item.querySelector("button"), files.get(named).error];
  if (text.includes("END_TIME")) return [element("end"), element("end-error")];
  const box = boxes().find((each) => text.includes(nameOf(each.value)));
  return box ? [box, element("shown-error")] : [element("run"), element("error")];
}

function showError(message, mayFocus) {
  const text = message.replace(/^particles: /gm, ""), [field, place] = findField(text);
  place.textContent = text;
  if (field !== element("run")) field.setAttribute("aria-invalid", "true");
  if (!mayFocus) return;
  field.focus();
  const line = field === element("input") && Number(text.slice(inputName().length).match(/^:(\d+):/)?.[1]);
  if (!line) return;
  const before = field.value.split("\n").slice(0, line - 1).join("\n").length, start = line > 1 ? before + 1 : 0;
  field.setSelectionRange(start, (field.value + "\n").indexOf("\n", start));
  field.scrollTop = (line - 4) * parseFloat(getComputedStyle(field).lineHeight);
}

let checking = 0; /* the timer of checkOptions */

/* Says what is wrong with options and END_TIME: the program looks at them before it looks for the input. */
async function checkOptions() {
  if (running || table.size === 0 || has("--generate") || has("--resume")) return;
  clearErrors();
  const { status, errors } = await callProgram(findArguments("no input"), givenFiles());
  if (status === 64 && !running) showError(errors, false);
}

/* ---- A run ---------------------------------------------------------------------------------------------- */

let running = null; /* { timer, start } */

const givenFiles = () => [...files].map(([name, { data }]) => ({ name, data }));

function setRunning(now) {
  clearTimeout(running?.timer);
  running = now;
  element("stop").disabled = !now;
  element("progress").hidden = !now;
  element("pace").textContent = "";
  element("progress").removeAttribute("value");
}

function stop(reason) {
  if (!running) return;
  setRunning(null);
  startWorker();
  report(reason);
}

async function start() {
  if (running) {
    element("ask").returnValue = "";
    element("ask").showModal();
    return;
  }
  clearTimeout(checking);
  clearErrors();
  closeChoices();
  const args = findArguments(), seconds = Number(element("limit").value), now = { start: performance.now() };
  const given = [...givenFiles(), { name: inputName(), data: large ?? element("input").value }];
  element("status").textContent = "Running…";
  setRunning(now);
  if (seconds < Infinity)
    now.timer = setTimeout(() => stop(`Stopped after ${seconds} seconds. Give it more time, or a shorter END_TIME, or run it in a shell.`), 1000 * seconds);
  const result = await callProgram(args, given, (line) => {
    element("pace").textContent = line;
    element("progress").value = Number(line.match(/\(([\d.]+) %\)/)?.[1] ?? 0) / 100;
  });
  if (running !== now) return;
  setRunning(null);
  startWorker(); /* the memory of the one before goes back to the system */
  if (result.crash !== undefined) report(`The program has crashed: ${result.crash}. Nothing is lost but this run; please report it, with the link.`);
  else if (result.status > 1) { element("status").textContent = ""; showError(result.errors, true); }
  else showResults(result, args, performance.now() - now.start);
}

/* ---- Results ---------------------------------------------------------------------------------------------- */

let views = [], urls = [], lastView = "Animation";

function linkTo(data, type) {
  const url = URL.createObjectURL(new Blob([data], { type }));
  urls.push(url);
  return url;
}

/* A page that the program has written, where it can do nothing but play and save a picture. */
function frame(title, data) {
  const made = create("iframe", { title });
  made.sandbox = "allow-scripts allow-downloads";
  made.src = linkTo(data, "text/html;charset=utf-8");
  return made;
}

function answerView(result) {
  const decode = (bytes) => new TextDecoder().decode(bytes), lines = decode(result.answer.subarray(0, 1e5)).split("\n");
  const more = result.answer.reduce((count, byte) => count + (byte === 10), 0) - Math.min(lines.length - 1, MOST_LINES);
  const isInputText = has("--generate");
  const note = isInputText ? "An input of random particles." : "x, y, how often it has hit a wall, and how often another disk.";
  return create("div", {}, create("p", { className: "quiet", textContent: note }), create("div", { className: "line" },
    button("Copy", () => copy(decode(result.answer), "The answer is copied.")), button("Save", () => save(isInputText ? "input.txt" : "answer.txt", result.answer)),
    ...isInputText ? [button("Take it as the input", () => {
      rows().filter(({ option }) => nameOf(option) !== "--seed" && table.get(nameOf(option))?.uses.trim() === "generate").forEach(({ row }) => row.remove());
      takeInput("input.txt", new Blob([result.answer]));
    })] : []),
    create("pre", { textContent: lines.slice(0, more > 0 ? Math.min(lines.length - 1, MOST_LINES) : lines.length).join("\n") }),
    ...more > 0 ? [create("p", { className: "quiet", textContent: `… and ${more} lines more, which Copy and Save have.` })] : []);
}

function save(name, data) {
  create("a", { href: linkTo(data, "application/octet-stream"), download: name.replace(/^.*\//, "") }).click();
}

function filesView(list) {
  return create("ul", { id: "saved" }, ...list.map(({ name, data }) => create("li", {},
    create("span", { textContent: name }), create("span", { className: "quiet", textContent: sizeText(data.length) }),
    button("Save", () => save(name, data), `Save ${name}`))));
}

function showResults(result, args, milliseconds) {
  const option = (name) => args.find((arg) => nameOf(arg) === name)?.slice(name.length + 1);
  urls.forEach((url) => URL.revokeObjectURL(url));
  urls = [];
  views = [{ name: "Answer", make: () => answerView(result) }];
  for (const { name, data } of result.files) {
    if (name === option("--animate")) views.push({ name: "Animation", make: () => frame("Animation", data) });
    else if (name === option("--report")) views.push({ name: "Report", make: () => frame("Report", data) });
    else if (name.endsWith(".svg"))
      views.push({ name, make: () => create("img", { src: linkTo(data, "image/svg+xml"), alt: name }) });
  }
  if (result.errors) views.push({ name: option("--stats") === "" ? "Figures" : "Messages", make: () => create("pre", { textContent: result.errors.replace(/^particles: /gm, "") }) });
  if (result.files.length > 0) views.push({ name: "Files", make: () => filesView(result.files) });
  element("panel").replaceChildren();
  element("tabs").replaceChildren(...views.map((view) => {
    view.tab = button(view.name, () => { lastView = view.name; select(view); });
    view.tab.id = `tab-${views.indexOf(view)}`;
    view.tab.setAttribute("role", "tab");
    view.tab.setAttribute("aria-controls", "panel");
    return view.tab;
  }));
  select(views.find((view) => view.name === lastView) ?? views[0]);
  const seconds = result.seconds < 1 ? `${Math.round(1000 * result.seconds)} ms` : `${result.seconds.toPrecision(3)} s`;
  element("status").textContent = result.status === 1 ? result.errors : `Done, in ${seconds}.`;
  element("status").dataset.milliseconds = Math.round(milliseconds);
  if (matchMedia("(max-width: 820px)").matches) element("results").scrollIntoView({ behavior: "smooth" });
}

function select(view) {
  view.node ??= element("panel").appendChild(view.make());
  for (const each of views) {
    if (each.node) each.node.hidden = each !== view;
    each.tab.setAttribute("aria-selected", String(each === view));
    each.tab.tabIndex = each === view ? 0 : -1;
  }
  element("panel").setAttribute("aria-labelledby", view.tab.id);
}

/* ---- Links and examples -------------------------------------------------------------------------------------- */

/* All that is needed to set the page up again. */
const getCase = () => ({ name: element("name").value, text: element("input").value, end: element("end").value,
  options: rows().map(({ option }) => option).filter(Boolean), shown: boxes().map((box) => box.checked),
  files: [...files].map(([name, { data }]) => ({ name, text: data })) });

function setCase({ name, text, end, options, shown = [], files: others = [] }) {
  const all = [name, text, end, ...options, ...others.flatMap((file) => [file.name, file.text])];
  if (all.length > 200 || !all.every((each) => typeof each === "string")) throw new Error("it is not one of this page");
  files.clear();
  element("files").replaceChildren();
  element("options").replaceChildren();
  addOption();
  options.forEach((option) => addOption(option));
  others.forEach((file) => addFile(file.name, file.text));
  boxes().forEach((box, k) => { box.checked = shown[k] ?? true; });
  element("end").value = end;
  setInput(name, text);
}

async function copyLink() {
  const isText = !large && [...files.values()].every(({ data }) => typeof data === "string");
  if (!isText) { element("copied").textContent = "This case is too large for a link."; return; }
  const packed = await throughStream(JSON.stringify(getCase()), new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  const link = `${location.href.replace(/#.*/s, "")}#${letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=*$/, "")}`;
  await copy(link, `The link is copied: ${sizeText(link.length)}.${link.length > 8000 ? " Some programs cut links that are so long." : ""}`);
}

async function openLink() {
  if (location.hash.length < 2) return;
  try {
    const bytes = fromBase64(location.hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    setCase(JSON.parse(new TextDecoder().decode(await throughStream(bytes, new DecompressionStream("deflate-raw"), MOST_LINKED))));
  } catch (error) {
    report(`This link cannot be read: ${error.message}`);
  }
}

async function readExamples() {
  const examples = JSON.parse(new TextDecoder().decode(await unpackPart("examples")));
  element("example").append(...examples.map(({ title }, k) => create("option", { value: k, textContent: title })));
  element("example").onchange = ({ target }) => { if (target.value !== "") setCase(examples[target.value]); };
  if (location.hash.length < 2) setCase(examples[element("example").value = 1]);
}

/* ---- The page ------------------------------------------------------------------------------------------------- */

/* Starts the program, and asks it for its options. */
async function begin() {
  try {
    compiled = unpackPart("module").then((bytes) => WebAssembly.compile(bytes));
    startWorker();
    await compiled;
    const { crash, answer } = await callProgram(["--completion"], []);
    if (crash !== undefined) throw new Error(crash);
    readTable(new TextDecoder().decode(answer));
    rows().forEach(({ row }) => update(row));
    element("status").textContent = "Ready.";
    element("status").dataset.ready = Math.round(performance.now());
  } catch (error) {
    report(`This browser cannot run the program: ${error.message}`);
  }
}

function listen() {
  const root = document.documentElement, isDark = matchMedia("(prefers-color-scheme: dark)");
  const setTheme = (dark) => { root.dataset.theme = dark ? "dark" : "light"; };
  setTheme(isDark.matches);
  isDark.onchange = () => setTheme(isDark.matches);
  element("theme").onclick = () => setTheme(root.dataset.theme !== "dark");
  element("form").onsubmit = (event) => { event.preventDefault(); start(); };
  element("form").addEventListener("input", showCommand);
  element("form").addEventListener("change", ({ target }) => {
    if (target.matches("#end, .option input, #shown input")) checking = setTimeout(checkOptions, 300);
  });
  element("run").onpointerdown = () => clearTimeout(checking); /* a message would move it away from the pointer */
  element("large").querySelector("button").onclick = () => { setInput("input.txt", ""); element("input").focus(); };
  element("stop").onclick = () => stop("Stopped.");
  element("ask").onclose = () => { if (element("ask").returnValue === "go") { stop(""); start(); } };
  element("open").onclick = () => element("chosen").click();
  element("chosen").onchange = async ({ target }) => { await takeFiles([...target.files]); target.value = ""; };
  element("copy-command").onclick = () => copy(commandText(), "The command is copied.");
  element("copy-link").onclick = copyLink;
  element("tabs").onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], at = views.findIndex(({ tab }) => tab === document.activeElement);
    if (!step || at < 0) return;
    const next = views[(at + step + views.length) % views.length];
    next.tab.click();
    next.tab.focus();
  };
  addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); start(); }
    else if (event.key === "Escape" && !element("ask").open) stop("Stopped.");
  });
  addEventListener("hashchange", openLink);
  addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    takeFiles([...event.dataTransfer.files]);
  });
  addEventListener("beforeunload", (event) => { if (running) event.preventDefault(); });
}

begin();
listen();
addOption();
openLink();
readExamples();
})();
