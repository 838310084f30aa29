// The page: a position is set up, a question is asked, the answer is shown.
//
// The position lives in `position`; the board, the fields and the address all show it. The library reads every text and
// writes every result.

import { createSolver } from "./matesolve/browser.js";
import { Board } from "./board.js";
import { EMPTY, fromFen, possibleCastling, toFen, withMen } from "./position.js";
import { Progress, cost, noun, reportVerdict, verdict } from "./words.js";

const byId = (id) => document.getElementById(id);
const INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
// D. G. Prinz, Research 1952: the first problem that a computer solved.
const EXAMPLE = { fen: "5Kbk/6pp/6P1/8/8/8/8/7R w - -", moves: "2" };

// Searches and short questions have a solver each, so that a text can be read while a search runs.
const loaded = Promise.all([createSolver(), createSolver()]);
let position = EMPTY;
let title = null;
/** The text and the number of a problem with twins; null if the position says all. `stated` is its stipulation. */
let source = null;
/** The forms of the last answer that can be saved, and the solver that searches for the next one. */
let written = {};
let searching = null;

const board = new Board(byId("board"), byId("tools"), (men) => set(withMen(position, men)));

/** Makes this the position of the page. A position that was changed has no name and no twins. */
function set(next, name = null, text = null) {
  position = next;
  title = name;
  source = text;
  board.show(position.men);
  byId("text").value = source?.text ?? toFen(position);
  byId("twins").textContent = source ? `Phases: ${source.phases.join("; ")}. The whole solution has all, Solve the first.` : "";
  byId("text-error").textContent = "";
  document.querySelector(`input[name=turn][value=${position.turn}]`).checked = true;
  const possible = possibleCastling(position.men);
  byId("castling").hidden = possible.length === 0;
  for (const box of byId("castling").querySelectorAll("input")) {
    box.parentElement.hidden = !possible.includes(box.value);
    box.checked = position.castling.includes(box.value);
  }
  forget();
  saveAddress();
}

/** Removes the answer, and ends the search, because they belong to another question. */
function forget() {
  searching?.cancel();
  searching = null;
  written = {};
  byId("result").hidden = true;
  byId("solution").hidden = true;
  byId("status").textContent = "";
  for (const button of byId("downloads").querySelectorAll("[data-format]")) {
    button.hidden = button.dataset.format !== "svg";
  }
}

/** Writes the question into the address. */
function saveAddress() {
  const parts = new URLSearchParams(source
    ? { text: source.text, problem: source.number }
    : { fen: toFen(position).replaceAll(" ", "_") });
  const asked = question();
  if (asked) parts.set("moves", asked);
  history.replaceState(null, "", `#${parts.toString().replaceAll("%2F", "/")}`);
}

/** Reads the question from the address. */
async function openAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const text = parts.get("text") ?? (parts.get("fen") ?? EXAMPLE.fen).replaceAll("_", " ");
  ask(parts.size > 0 ? (parts.get("moves") ?? "") : EXAMPLE.moves);
  await readText(text, Number(parts.get("problem") ?? 0));
}

/**
 * Reads a text with one problem or several, and shows the one of this number, else the first, or the sentence that says
 * what is wrong.
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
  if (usable.length > 0) return openProblem(usable[opened]);
  byId("text").value = text;
  byId("text-error").textContent = problems[0]?.error ?? "";
  forget();
}

/** The goals of the list. */
const GOALS = [...byId("goal").options].map((option) => option.value);

/** Splits a stipulation such as `s#3` or `3` into its goal and its length; null if the list has no such goal. */
function parts(text) {
  const [, goal = "#", moves] = /^\s*([a-z-]*[#=])?\s*(.*?)\s*$/i.exec(text);
  return GOALS.includes(goal.toLowerCase()) ? { goal: goal.toLowerCase(), moves } : null;
}

/** Makes a stipulation the question of the page. One that the list has not stays in the field as it is. */
function ask(text) {
  const { goal, moves } = parts(text) ?? { goal: "#", moves: text };
  byId("goal").value = goal;
  byId("moves").value = moves;
}

/** The question as the address has it: `3`, `s#3`, or nothing for the shortest mate. */
function question() {
  const [goal, moves] = [byId("goal").value, byId("moves").value.trim()];
  return goal === "#" ? moves : goal + moves;
}

function openProblem(problem) {
  if (/^[a-z-]*[#=][\d.]*$/.test(problem.stipulation ?? "")) ask(problem.stipulation);
  const { setPlay, tries, postKey } = problem.asked;
  byId("set-play").checked ||= setPlay;
  byId("post-key").checked = postKey;
  byId("tries").checked ||= Boolean(tries);
  if (tries) byId("refutations").value = tries;
  set(fromFen(problem.fen), problem.id, problem.phases.length > 0 ? { ...problem, stated: question() } : null);
  byId("text-error").textContent = problem.warnings.join("; ");
}

/** The problem as a text for the library, and the options that go with it. */
const line = () => source?.text ?? toFen(position) + (title ? ` id "${title.replace(/["\\;]/g, "")}";` : "");
const which = () => ({ problem: source?.number });

/** The stipulation; undefined if it is that of the text with its twins. */
function stipulation() {
  const asked = question();
  return source && source.stated === asked ? undefined : isNumber(asked) || !asked ? `#${asked}` : asked;
}

const isNumber = (text) => /^\d+$/.test(text);

/** The memory of a search, in MiB: so much that a phone gives it to a page. */
const HASH = 128;

const limits = () => ({ hash: HASH, time: byId("time").value ? Number(byId("time").value) * 1000 : undefined });

const number = (id) => (byId(id).value ? Number(byId(id).value) : undefined);

function solve() {
  const asked = question();
  // A number is the longest mate that counts; anything else is a stipulation of its own.
  const length = isNumber(asked) ? { max: Number(asked) } : asked ? { stipulation: asked } : {};
  return run((solver, watch) => solver.solve(line(), { ...which(), ...limits(), ...watch, ...length }), (result) => {
    written = { json: `${JSON.stringify(result, null, 2)}\n` };
    showAnswer(verdict(result), ["mate", "mated", "solved"].includes(result.result.status), result);
    byId("line").textContent = result.solutions?.map((one) => one.san).join("\n") ?? result.result.pv_san ?? "";
    if (result.other_side?.status === "mated") addNote(`The side to move is mated in ${result.other_side.mate_in}.`);
  });
}

function wholeSolution() {
  const options = {
    ...which(),
    stipulation: stipulation(),
    setPlay: byId("set-play").checked,
    tries: byId("tries").checked ? number("refutations") : undefined,
    shortVariations: byId("short-variations").checked,
    postKey: byId("post-key").checked,
    letters: byId("letters").value,
    castling: "fen",
    formats: ["json", "olv", "popeye", "html"],
  };
  return run((solver, watch) => solver.write(line(), { ...options, ...limits(), ...watch }), (texts) => {
    written = texts;
    const report = JSON.parse(texts.json);
    showAnswer(reportVerdict(report), report.result.soundness === "sound", report);
    byId("line").textContent = "";
    if (report.position || report.phases?.length > 0) {
      embed(texts.html);
    }
  });
}

/** Shows the page of a report. It has an address of its own, because it has links from one of its parts to another. */
function embed(html) {
  const frame = byId("solution");
  URL.revokeObjectURL(frame.src);
  frame.src = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  frame.hidden = false;
}

/** Runs a search with its progress, its clock and its end. `show` receives the answer. */
async function run(search, show) {
  const [solver] = await loaded;
  forget();
  const [progress, started] = [new Progress(noun(byId("goal").value)), performance.now()];
  const tick = () => {
    const seconds = Math.floor((performance.now() - started) / 1000);
    byId("clock").textContent = [`${seconds} s`, progress.nodes].filter(Boolean).join(", ");
  };
  const say = () => (byId("status").textContent = `Searching… ${progress}`);
  const onProgress = (event) => {
    progress.add(event);
    later(say);
  };
  searching = solver;
  busy(true);
  say();
  tick();
  const timer = setInterval(tick, 250);
  try {
    const answer = await search(solver, { onProgress });
    searching = null;
    byId("status").textContent = "";
    show(answer);
  } catch (error) {
    const proved = String(progress);
    const cancelled = proved ? `Cancelled. So far: ${proved}.` : "Cancelled.";
    byId("status").textContent = error.name === "AbortError" ? cancelled : error.message;
  } finally {
    searching = null;
    clearInterval(timer);
    clearTimeout(waiting);
    byId("clock").textContent = "";
    busy(false);
  }
}

// Screen readers read every change of the status aloud, so it changes at most twice a second.
let waiting;
function later(say) {
  clearTimeout(waiting);
  waiting = setTimeout(say, 500);
}

function busy(isBusy) {
  byId("solve").disabled = byId("whole").disabled = isBusy;
  byId("cancel").disabled = !isBusy;
  byId("question").setAttribute("aria-busy", String(isBusy));
}

function showAnswer(text, isGood, { stats, warnings, error }) {
  byId("result").hidden = false;
  byId("verdict").textContent = text;
  byId("verdict").className = isGood ? "good" : "bad";
  byId("notes").replaceChildren();
  for (const note of [error, ...warnings, cost(stats)]) if (note) addNote(note);
  for (const button of byId("downloads").querySelectorAll("[data-format]")) {
    const { format } = button.dataset;
    button.hidden = format !== "svg" && !written[format];
  }
  byId("verdict").focus({ preventScroll: true });
  byId("result").scrollIntoView({ block: "nearest" });
}

function addNote(text) {
  const item = document.createElement("li");
  item.textContent = text;
  byId("notes").append(item);
}

/** Saves one form of the answer as a file. */
async function download(format) {
  const [, reader] = await loaded;
  const options = { ...which(), coordinates: true, stipulation: stipulation() };
  const text = format === "svg" ? await reader.diagram(line(), options) : written[format];
  const [ending, type] = {
    svg: ["svg", "image/svg+xml"],
    json: ["json", "application/json"],
    olv: ["olv", "text/yaml"],
    popeye: ["txt", "text/plain"],
    html: ["html", "text/html"],
  }[format];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = `problem.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Shows the sentence of an error that belongs to the position. */
const inText = (action) => async (event) => {
  try {
    await action(event);
  } catch (error) {
    byId("text-error").textContent = error.message;
  }
};

byId("text").addEventListener("change", inText(() => readText(byId("text").value)));
byId("text").addEventListener("paste", () => setTimeout(inText(() => readText(byId("text").value))));
byId("problems").addEventListener("change", () => openProblem(byId("problems").selectedOptions[0].problem));
byId("clear").addEventListener("click", () => set({ ...EMPTY, turn: position.turn }));
byId("initial").addEventListener("click", () => set(fromFen(INITIAL)));
byId("moves").addEventListener("change", () => {
  // A whole stipulation may be written here, too.
  if (/[#=]/.test(byId("moves").value)) ask(byId("moves").value);
  forget();
  saveAddress();
});
byId("goal").addEventListener("change", () => (forget(), saveAddress()));
for (const radio of document.querySelectorAll("input[name=turn]")) {
  radio.addEventListener("change", () => set({ ...position, turn: radio.value, enPassant: "-" }));
}
byId("castling").addEventListener("change", () => {
  const boxes = [...byId("castling").querySelectorAll("input:checked")].filter((box) => !box.parentElement.hidden);
  set({ ...position, castling: boxes.map((box) => box.value).join("") });
});
byId("solve").addEventListener("click", inText(solve));
byId("whole").addEventListener("click", inText(wholeSolution));
byId("cancel").addEventListener("click", async () => (await loaded)[0].cancel());
byId("downloads").addEventListener("click", inText(async ({ target }) => {
  if (target.dataset.format) await download(target.dataset.format);
}));
byId("link").addEventListener("click", async () => {
  await navigator.clipboard.writeText(location.href);
  byId("status").textContent = "The link is copied.";
});
window.addEventListener("hashchange", inText(openAddress));
inText(async () => {
  await openAddress();
  busy(false);
})();
