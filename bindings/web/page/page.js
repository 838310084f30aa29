// The page: a position is set up, a question is asked, the answer is shown.
//
// The position lives in `position`; the board, the fields and the address all show it. Each change of it is an entry in
// the history of the browser, so that going back undoes it. The library reads every text and writes every result.

import { createSolver } from "./matesolve/browser.js";
import { Board } from "./board.js";
import { Lines } from "./line.js";
import { EMPTY, fromFen, possibleCastling, possibleEnPassant, toFen, withMen } from "./position.js";
import { addAsked, ask, load, question, reportOptions, save, solveOptions, stipulation } from "./question.js";
import { Progress, cost, moveVerdict, noun, plural, reportVerdict, verdict } from "./words.js";

const byId = (id) => document.getElementById(id);
const INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
// D. G. Prinz, Research 1952: the first problem that a computer solved.
const EXAMPLE = "fen=5Kbk/6pp/6P1/8/8/8/8/7R_w_-_-&moves=2";

// Searches and short questions have a solver each, so that a text can be read while a search runs.
const loaded = Promise.all([createSolver(), createSolver()]);
let position = EMPTY;
let title = null;
/** The text and the number of a problem with twins; null if the position says all. `stated` is its stipulation. */
let source = null;
/** What the text field says when it shows the position, and the reading of a text that somebody has put there. */
let shown = "";
let reading = null;
/** Whether somebody has chosen the question; else that of the next text replaces it. */
let isChosen = false;
/** The position of a line that the board shows instead of the diagram. */
let inLine = null;
/** The forms of the last answer that can be saved, and the solver that searches for the next one. */
let written = {};
let searching = null;

const board = new Board(byId("board"), byId("tools"), (men) => set(withMen(inLine ?? position, men)));
const lines = new Lines(byId("lines"), (at, played) => {
  inLine = at;
  board.show((at ?? position).men);
  byId("played").textContent = played;
});

/** Makes this the position of the page. A position that was changed has no name and no twins. */
function set(next, name = null, text = null, isNew = true) {
  [position, title, source] = [next, name, text];
  board.show(position.men);
  shown = byId("text").value = source?.text ?? toFen(position);
  reading = null;
  byId("count").textContent = counts(position.men);
  byId("about").textContent = source ? `Phases: ${source.phases.join("; ")}. The whole solution has all, Solve the first.` : "";
  byId("text-error").textContent = "";
  document.querySelector(`input[name=turn][value=${position.turn}]`).checked = true;
  const possible = possibleCastling(position.men);
  byId("castling").hidden = possible.length === 0;
  for (const box of byId("castling").querySelectorAll("input")) {
    box.parentElement.hidden = !possible.includes(box.value);
    box.checked = position.castling.includes(box.value);
  }
  const squares = possibleEnPassant(position);
  byId("en-passant-field").hidden = squares.length === 0;
  byId("en-passant").replaceChildren(...["-", ...squares].map((square) => new Option(square === "-" ? "no" : square, square)));
  byId("en-passant").value = squares.includes(position.enPassant) ? position.enPassant : "-";
  forget();
  if (isNew) remember();
}

/** The numbers of White's and Black's men, as they stand below a diagram. */
function counts(men) {
  const white = Object.values(men).filter((man) => man < "a").length;
  return `${white}+${Object.keys(men).length - white}`;
}

/** Writes the stipulation below the board, with the length that is known if the question has none. */
function showAsked(length) {
  const asked = stipulation();
  byId("asked").textContent = length > 0 && /[#=]$/.test(asked) ? `${asked}${length}` : asked;
}

/** Removes the answer, and ends the search, because they belong to another question. */
function forget() {
  showAsked();
  searching?.cancel();
  searching = null;
  written = {};
  for (const id of ["result", "solution", "player"]) byId(id).hidden = true;
  for (const id of ["status", "error", "played"]) byId(id).textContent = "";
  if (inLine) board.show(position.men);
  inLine = null;
  offerDownloads();
}

/** The address of the position and the question. */
function address() {
  const parts = new URLSearchParams(source
    ? { text: source.text, problem: source.number }
    : { fen: toFen(position).replaceAll(" ", "_") });
  save(parts);
  return `#${parts.toString().replaceAll("%2F", "/")}`;
}

/** The number of changes that can be undone. */
const changes = () => history.state?.at ?? 0;

/** Adds the position to the history of the browser; the first one of the page replaces the entry that it has. */
function remember() {
  const isFirst = !history.state;
  const entry = { at: isFirst ? 0 : changes() + 1, position, title, source };
  if (isFirst || address() === location.hash) history.replaceState({ ...entry, at: changes() }, "", address());
  else history.pushState(entry, "", address());
  byId("undo").disabled = changes() === 0;
}

/** Shows the entry of the history that the browser has gone to, or an address that somebody has entered. */
function openEntry() {
  load(new URLSearchParams(location.hash.slice(1) || EXAMPLE));
  const entry = history.state;
  byId("undo").disabled = changes() === 0;
  if (entry) return set(entry.position, entry.title, entry.source, false);
  const parts = new URLSearchParams(location.hash.slice(1) || EXAMPLE);
  isChosen = parts.has("moves");
  return readText(parts.get("text") ?? (parts.get("fen") ?? "").replaceAll("_", " "), Number(parts.get("problem") ?? 0));
}

/** The question was changed: an answer belongs to the old one. */
function changeQuestion() {
  // A whole stipulation may be written in the field of the length, too.
  if (/[#=]/.test(byId("moves").value)) ask(byId("moves").value);
  if (address() === location.hash) return;
  isChosen = true;
  forget();
  history.replaceState(history.state, "", address());
}

/** Reads what somebody has put into the text field. Returns whether there is a position. */
function readField() {
  const text = byId("text").value;
  if (text === shown) {
    byId("text-error").textContent = "";
    return true;
  }
  if (reading?.text !== text) reading = { text, done: readText(text) };
  return reading.done;
}

/**
 * Reads a text with one problem or several, and shows the one of this number, else the first, or the sentence that says
 * what is wrong. Returns whether there is one.
 */
async function readText(text, number) {
  const [, reader] = await loaded;
  const problems = await reader.read(text);
  problems.forEach((problem, index) => Object.assign(problem, { text, number: index + 1 }));
  const usable = problems.filter((problem) => !problem.error);
  byId("choice").hidden = usable.length < 2;
  byId("problems").replaceChildren(...usable.map((problem, index) => {
    const name = problem.id ?? problem.fen;
    const option = new Option(`${problem.line ? `${problem.line}: ` : ""}${name}`, index);
    option.problem = problem;
    return option;
  }));
  const opened = Math.max(usable.findIndex((problem) => problem.number === number), 0);
  byId("problems").selectedIndex = opened;
  if (usable.length > 0) {
    openProblem(usable[opened]);
    return true;
  }
  forget();
  byId("text").value = text;
  byId("text-error").textContent = problems[0]?.error ?? "There is no problem in this text.";
  return false;
}

function openProblem(problem) {
  if (/^[a-z-]*[#=][\d.]*$/.test(problem.stipulation ?? "")) ask(problem.stipulation);
  else if (!isChosen) ask("");
  isChosen = false;
  addAsked(problem.asked);
  set(fromFen(problem.fen), problem.id, problem.phases.length > 0 ? { ...problem, stated: question() } : null);
  byId("about").textContent = [byId("about").textContent, ...problem.warnings].filter(Boolean).join(" ");
}

/** The problem as a text for the library, and the options that go with it. */
const line = () => source?.text ?? toFen(position) + (title ? ` id "${title.replace(/["\\;]/g, "")}";` : "");
const which = () => ({ problem: source?.number });

/** The stipulation of a report; undefined if it is that of the text with its twins. */
const reported = () => (source && source.stated === question() ? undefined : stipulation());

/** The memory of a search, in MiB: so much that a phone gives it to a page. */
const HASH = 128;

const limits = () => ({ ...which(), hash: HASH, time: byId("time").value ? Number(byId("time").value) * 1000 : undefined });

function solve() {
  return run("solve", solveOptions, (result) => {
    written = { json: `${JSON.stringify(result, null, 2)}\n` };
    const { status, pv, pv_san: san } = result.result;
    showAnswer(verdict(result), ["mate", "mated", "solved"].includes(status), result);
    if (status === "mate" || status === "solved") showAsked(result.result.solved_in);
    showLines(result, result.solutions?.map((one) => ({ san: one.san, uci: one.moves })) ?? (pv ? [{ san, uci: pv }] : []));
    if (result.other_side?.status === "mated") addNote(`The side to move is mated in ${result.other_side.mate_in}.`);
  });
}

function firstMoves() {
  const lineOf = (move) => ({
    label: moveVerdict(move, noun(stipulation())),
    san: move.pv_san ?? move.san,
    uci: move.pv ?? [move.uci],
  });
  let count = 0;
  const add = ({ kind, move }) => {
    if (kind !== "move") return;
    count += 1;
    if (count === 1) showAnswer("", true, { warnings: [], stats: {} });
    byId("verdict").textContent = `${plural(count, "first move")} so far`;
    lines.add(position, lineOf(move));
  };
  return run("moves", solveOptions, (result) => {
    written = { json: `${JSON.stringify(result, null, 2)}\n` };
    showAnswer(plural(result.moves?.length ?? 0, "first move"), !result.error, result);
    showLines(result, (result.moves ?? []).map(lineOf));
  }, add);
}

function wholeSolution() {
  const formats = ["json", "olv", "popeye", "html", "latex"];
  const options = () => ({ ...reportOptions(), stipulation: reported(), castling: "fen", formats });
  return run("write", options, (texts) => {
    written = texts;
    const report = JSON.parse(texts.json);
    showAnswer(reportVerdict(report), isGood(report), report);
    if (report.keys?.length > 0) showAsked(report.result.solved_in);
    byId("stamp").textContent = report.stamp ?? "";
    if (report.position || report.phases?.length > 0) embed(texts.html);
  });
}

/** Whether a report says that the problem is sound: of twins, in all phases. */
const isGood = ({ result, phases }) => (phases?.length > 0 ? phases.every(isGood) : result.soundness === "sound");

/** Shows the lines of an answer. They begin in the position that was solved. */
function showLines({ fen }, all) {
  lines.set(fen ? fromFen(fen) : position, all);
  byId("player").hidden = lines.isEmpty;
}

/**
 * Shows the page of a report without its board: its tree moves the men on the board of this page. It has an address of
 * its own, because it has links from one of its parts to another.
 */
function embed(html) {
  const frame = byId("solution");
  URL.revokeObjectURL(frame.src);
  frame.src = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  frame.hidden = false;
}

/** Joins the page of a report, once it is loaded, with the board and the length of this page. */
function join() {
  const { contentWindow: inner, contentDocument: { documentElement: root, body } } = byId("solution");
  root.classList.add("embedded");
  inner.onBoard = (men, plies) => {
    const turn = plies % 2 === 0 ? position.turn : position.turn === "w" ? "b" : "w";
    inLine = plies > 0 ? { ...withMen(position, men), turn } : null;
    board.show(men);
  };
  const fit = () => (byId("solution").style.height = `${Math.ceil(body.getBoundingClientRect().height) + 4}px`);
  new inner.ResizeObserver(fit).observe(body);
}

/**
 * Runs a search with its progress, its clock and its end: calls this method of the solver, and `show` with the answer.
 * `options` reads the question from the page; `event` is called with each event.
 */
async function run(method, options, show, event = () => {}) {
  const [solver] = await loaded;
  // A text that was just entered comes first; without a position there is nothing to ask. It may bring its own question,
  // so the question is read after it.
  if (!(await readField())) return byId("text").focus();
  forget();
  isChosen = false;
  const [text, asked] = [line(), { ...options(), ...limits() }];
  const [progress, started] = [new Progress(noun(byId("goal").value)), performance.now()];
  const tick = () => {
    const seconds = Math.floor((performance.now() - started) / 1000);
    byId("clock").textContent = [`${seconds} s`, progress.nodes].filter(Boolean).join(", ");
  };
  const say = () => (byId("status").textContent = `Searching… ${progress}`);
  const hear = (heard) => {
    progress.add(heard);
    if (searching === solver) event(heard);
  };
  let isCancelled = false;
  searching = solver;
  busy(true);
  say();
  tick();
  // Screen readers read every change of the status aloud, so it changes once a second.
  const timers = [setInterval(tick, 250), setInterval(say, 1000)];
  try {
    const answer = await solver[method](text, { ...asked, onProgress: hear });
    byId("status").textContent = "";
    show(answer);
  } catch (error) {
    // The search of an old question ends without a word.
    if (searching !== solver) return;
    isCancelled = error.name === "AbortError";
    if (isCancelled) byId("status").textContent = `Cancelled.${`${progress}` ? ` So far: ${progress}` : ""}`;
    else [byId("status").textContent, byId("error").textContent] = ["", error.message];
  } finally {
    timers.forEach(clearInterval);
    byId("clock").textContent = "";
    searching = null;
    busy(false);
    // The button that had the focus cannot be used any more.
    if (isCancelled) byId("solve").focus({ preventScroll: true });
  }
}

function busy(isBusy) {
  for (const id of ["solve", "whole", "first"]) byId(id).disabled = isBusy;
  byId("cancel").disabled = !isBusy;
  byId("question").setAttribute("aria-busy", String(isBusy));
}

function showAnswer(text, isGood, { stats, warnings, error }) {
  byId("result").hidden = false;
  byId("verdict").textContent = text;
  byId("verdict").className = isGood ? "good" : "bad";
  byId("stamp").textContent = "";
  byId("notes").replaceChildren();
  lines.set(position, []);
  for (const note of [error, ...warnings, cost(stats)]) if (note) addNote(note);
  offerDownloads();
  byId("verdict").focus({ preventScroll: true });
  byId("result").scrollIntoView({ block: "nearest" });
}

function addNote(text) {
  const item = document.createElement("li");
  item.textContent = text;
  byId("notes").append(item);
}

/** Shows the buttons of the forms that can be saved. */
function offerDownloads() {
  for (const button of byId("downloads").querySelectorAll("[data-format]")) {
    const { format } = button.dataset;
    button.hidden = format !== "svg" && !written[format];
  }
}

/** Saves one form of the answer as a file. */
async function download(format) {
  const [, reader] = await loaded;
  if (!(await readField())) return byId("text").focus();
  const options = { ...which(), coordinates: true, stipulation: reported() };
  const text = format === "svg" ? await reader.diagram(line(), options) : written[format];
  const [ending, type] = {
    svg: ["svg", "image/svg+xml"],
    json: ["json", "application/json"],
    olv: ["olv", "text/yaml"],
    popeye: ["txt", "text/plain"],
    html: ["html", "text/html"],
    latex: ["tex", "text/x-tex"],
  }[format];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = `problem.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Calls `action` when an event comes, and shows the sentence of its error. */
function on(target, event, action) {
  (target.addEventListener ? target : byId(target)).addEventListener(event, async (it) => {
    try {
      await action(it);
    } catch (error) {
      byId("error").textContent = error.message;
    }
  });
}

async function openFile(file) {
  if (file) await readText(await file.text());
}

on("solution", "load", () => byId("solution").hidden || join());
on("text", "change", readField);
on("text", "paste", () => setTimeout(readField));
on("problems", "change", () => openProblem(byId("problems").selectedOptions[0].problem));
on("open", "click", () => byId("file").click());
on("file", "change", () => openFile(byId("file").files[0]).finally(() => (byId("file").value = "")));
on(document, "dragover", (event) => event.preventDefault());
on(document, "drop", (event) => {
  event.preventDefault();
  return openFile(event.dataTransfer.files[0]);
});
on("clear", "click", () => set({ ...EMPTY, turn: position.turn }));
on("initial", "click", () => set(fromFen(INITIAL)));
on("flip", "click", () => board.flip());
on("undo", "click", () => history.back());
on(document, "keydown", (event) => {
  const isWriting = event.target.matches("textarea, input[type=text], input[type=number]");
  if (isWriting || event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (event.shiftKey) history.forward();
  else if (changes() > 0) history.back();
});
for (const radio of document.querySelectorAll("input[name=turn]")) {
  on(radio, "change", () => set({ ...position, turn: radio.value, enPassant: "-" }));
}
on("castling", "change", () => {
  const boxes = [...byId("castling").querySelectorAll("input:checked")].filter((box) => !box.parentElement.hidden);
  set({ ...position, castling: boxes.map((box) => box.value).join("") });
});
on("en-passant", "change", () => set({ ...position, enPassant: byId("en-passant").value }));
on("ask", "change", changeQuestion);
on("ask", "submit", (event) => {
  event.preventDefault();
  return solve();
});
on("whole", "click", wholeSolution);
on("first", "click", firstMoves);
on("cancel", "click", async () => (await loaded)[0].cancel());
on("diagram", "click", () => lines.go(-1));
on("back", "click", () => lines.step(-1));
on("forward", "click", () => lines.step(1));
on("downloads", "click", ({ target }) => target.dataset.format && download(target.dataset.format));
on("link", "click", async () => {
  if (!(await readField())) return byId("text").focus();
  await navigator.clipboard.writeText(location.href);
  byId("status").textContent = "The link is copied.";
});
on(window, "popstate", openEntry);
loaded.then(openEntry).then(() => busy(false), (error) => (byId("error").textContent = error.message));
