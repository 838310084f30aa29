// The answer: what is asked of the library, and how its answers are shown on the page and on the board.

import { Board } from "./board.js";
import { Lines } from "./line.js";
import { fromFen, withMen } from "./position.js";
import { line, readField, set, which } from "./problem.js";
import { question, reportOptions, solveOptions, stipulation } from "./question.js";
import { announce, endTask, run } from "./search.js";
import { byId, loaded, off, onForget, state } from "./state.js";
import { cost, moveVerdict, noFirstMoves, noun, plural, proposal, reportVerdict, verdict } from "./words.js";

/** The time for a whole solution that follows an answer by itself, in milliseconds. */
const FOLLOWS = 6000;

export const board = new Board(byId("board"), byId("tools"), (men) => set(withMen(state.inLine ?? state.position, men)));
const lines = new Lines(byId("lines"), (seen) => showStep({ ...seen, men: (seen.at ?? state.position).men }, (where) => lines.step(where)));

/** Shows a moment of a line on the board, and lets the step buttons move along this line. */
function showStep({ at, men, last, next, words, isFirst, isLast }, go) {
  [state.inLine, state.step] = [at, go];
  board.show(men, last, next);
  byId("played").textContent = words;
  for (const id of ["first", "back"]) off(id, isFirst && "The board shows the diagram");
  for (const id of ["forward", "last"]) off(id, isLast && "The line ends here");
  board.hasAnswer = true;
}

/** A stipulation, with the length that is known if it has none. */
const withLength = (asked, length) => (length > 0 && /[#=]$/.test(asked) ? `${asked}${length}` : asked);

/** Writes the stipulation below the board. */
const showAsked = (length) => (byId("asked").textContent = withLength(stipulation(), length));

onForget(() => {
  showAsked();
  endTask();
  [state.written, state.unsound, state.step] = [{}, null, null];
  for (const id of ["result", "solution", "mend"]) byId(id).hidden = true;
  for (const id of ["status", "error", "played", "announce", "stamp", "notes"]) byId(id).textContent = "";
  board.show(state.position.men);
  board.hasAnswer = false;
  state.inLine = null;
  for (const id of ["first", "back", "forward", "last"]) off(id, "There is no line yet: press Solve");
  const why = noFirstMoves(stipulation());
  off("moves-list", why);
  byId("why").textContent = why;
  offerForms();
});

/** The stipulation of a report, with the length that is known; undefined if it is that of the text with its twins. */
const reported = (length) => (state.source && state.source.stated === question() ? undefined : withLength(stipulation(), length));

export const solve = () => run("solve", solveOptions, showSolution);

function showSolution(result) {
  state.written = { json: `${JSON.stringify(result, null, 2)}\n` };
  const { status, pv, pv_san: san, proved_shortest: isShortest } = result.result;
  const isSolved = ["mate", "mated", "solved"].includes(status);
  showAnswer(verdict(result), isSolved, result);
  const helped = result.solutions;
  const length = result.result.solved_in;
  if (status === "mate" || status === "solved") showAsked(length);
  const played = helped?.map((one) => ({ san: one.san, uci: one.moves })) ?? (pv ? [{ san, uci: pv }] : []);
  showLines(result, played, helped ? "Solution" : "Main line");
  if (result.other_side?.status === "mated") addNote(`The side to move is mated in ${result.other_side.mate_in}.`);
  // The whole solution comes by itself where it can be there in some seconds.
  if (status !== "mated" && length > 0 && (helped ? result.complete : isShortest)) return wholeSolution(length);
  if (["no_mate", "no_solution"].includes(status) && /\d/.test(stipulation())) offerMending(stipulation());
}

export function firstMoves() {
  const lineOf = (move) => ({
    label: moveVerdict(move, noun(stipulation())),
    san: move.pv_san ?? move.san,
    uci: move.pv ?? [move.uci],
  });
  let count = 0;
  const add = ({ kind, move }) => {
    if (kind !== "move") return;
    count += 1;
    if (count === 1) showAnswer("", true, { warnings: [], stats: {} }, false);
    byId("verdict").textContent = `${plural(count, "first move")} so far`;
    lines.add(state.position, lineOf(move));
  };
  return run("moves", solveOptions, (result) => {
    state.written = { json: `${JSON.stringify(result, null, 2)}\n` };
    showAnswer(plural(result.moves?.length ?? 0, "first move"), !result.error, result);
    showLines(result, (result.moves ?? []).map(lineOf));
  }, { event: add });
}

/** Makes the whole solution. `follows`: the length of the answer after which it comes by itself. */
export function wholeSolution(follows) {
  const formats = ["json", "olv", "popeye", "html", "latex"];
  const options = () => ({ ...reportOptions(), stipulation: reported(follows), castling: "fen", formats, ...(follows && { time: FOLLOWS }) });
  return run("write", options, (texts) => {
    const report = JSON.parse(texts.json);
    if (follows && report.stats.stopped_by) {
      return addNote(`The whole solution takes more than ${FOLLOWS / 1000} seconds; it is under More.`);
    }
    state.written = texts;
    if (follows) {
      // The verdict above has said the number of solutions.
      byId("sound").textContent = reportVerdict(report).replace(`: ${byId("verdict").textContent}`, "");
      byId("sound").className = isGood(report) ? "good" : "bad";
      announce(byId("sound").textContent);
      report.warnings.filter((note) => !byId("notes").textContent.includes(note)).forEach(addNote);
      offerForms();
    } else {
      showAnswer(reportVerdict(report), isGood(report), report);
    }
    if (report.keys?.length > 0) showAsked(report.result.solved_in);
    byId("stamp").textContent = report.stamp ?? "";
    if (report.position || report.phases?.length > 0) embed(texts.html);
    const isUnsound = ["cooked", "short_solution", "no_solution"].includes(report.result?.soundness);
    if (isUnsound && report.keys && !report.phases?.length) offerMending(report.stipulation.text);
  }, { isQuiet: Boolean(follows) });
}

/** Offers to look for sound versions of an unsound problem; of help play the workbench knows none. */
function offerMending(text) {
  state.unsound = noFirstMoves(text) ? null : text;
  byId("mend").hidden = !state.unsound;
  byId("mended").replaceChildren();
}

/** Asks the workbench for sound versions, each of which can be opened. */
export function mend() {
  return run("mend", () => ({ stipulation: state.unsound, proposals: 12 }), (answer) => {
    const found = answer?.proposals ?? [];
    byId("mended").replaceChildren(...found.map((one) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: proposal(one) });
      button.addEventListener("click", () => set(fromFen(one.fen)));
      const item = document.createElement("li");
      item.append(button);
      return item;
    }));
    const said = `${plural(found.length, "sound version")} of ${plural(answer?.tried ?? 0, "diagram")}`;
    byId("status").textContent = found.length > 0 ? `${said}; click one to set it up.` : `${said}.`;
  }, { isQuiet: true });
}

/** Whether a report says that the problem is sound: of twins, in all phases. */
const isGood = ({ result, phases }) => (phases?.length > 0 ? phases.every(isGood) : result.soundness === "sound");

/** Shows the lines of an answer. They begin in the position that was solved. */
function showLines({ fen }, all, name) {
  lines.set(fen ? fromFen(fen) : state.position, all, name);
}

/**
 * Shows the page of a report without its board: its tree moves the men on the board of this page. It has an address of
 * its own, because it has links from one of its parts to another.
 */
function embed(html) {
  // A new `src` would be an entry in the history of the browser, which undo goes back to. With an entry of the page the
  // browser goes back to the address that the frame had, so the addresses stay valid.
  byId("solution").contentWindow.location.replace(URL.createObjectURL(new Blob([html], { type: "text/html" })));
}

/** Shows the page of a report, once it is loaded, and joins it with the board, the step buttons and the length of this page. */
export function join() {
  // The page that has come may be that of an answer which is gone.
  if (!state.written.html) return;
  byId("solution").hidden = false;
  const { contentWindow: inner, contentDocument: { documentElement: root, body } } = byId("solution");
  const button = (id) => inner.document.getElementById(id);
  root.classList.add("embedded");
  inner.onBoard = ({ men, plies, ...seen }) => {
    const turn = plies % 2 === 0 ? state.position.turn : state.position.turn === "w" ? "b" : "w";
    const at = plies > 0 ? { ...withMen(state.position, men), turn } : null;
    const ends = { isFirst: button("back").disabled, isLast: button("forward").disabled };
    showStep({ ...seen, ...ends, at, men }, (where) => button(where).click());
  };
  // Without a main line, the arrow of the key comes from the tree.
  if (!state.step) inner.show?.(0);
  const fit = () => (byId("solution").style.height = `${Math.ceil(body.getBoundingClientRect().height) + 4}px`);
  new inner.ResizeObserver(fit).observe(body);
}

/** Shows the verdict of an answer. `isLast`: the answer is complete. */
function showAnswer(text, isGood, { stats, warnings, error }, isLast = true) {
  byId("result").hidden = false;
  byId("verdict").textContent = text;
  byId("verdict").className = isGood ? "good" : "bad";
  for (const id of ["stamp", "sound"]) byId(id).textContent = "";
  byId("notes").replaceChildren();
  lines.set(state.position, []);
  for (const note of [error, ...warnings, cost(stats)]) if (note) addNote(note);
  offerForms();
  if (!isLast) return;
  announce(text);
  byId("verdict").focus({ preventScroll: true });
  byId("verdict").scrollIntoView({ block: "nearest" });
}

function addNote(text) {
  const item = document.createElement("li");
  item.textContent = text;
  byId("notes").append(item);
}

/** Offers the forms that can be saved. */
function offerForms() {
  for (const button of byId("save-as").querySelectorAll("[data-format]")) {
    const { format } = button.dataset;
    const why = format === "json" ? "after Solve" : "after the whole solution";
    const isOff = !["svg", "link"].includes(format) && !state.written[format];
    off(button, isOff && why);
    button.querySelector("small")?.remove();
    if (isOff) button.append(Object.assign(document.createElement("small"), { textContent: why }));
  }
}

/** Saves one form of the answer as a file. */
export async function download(format) {
  const [, reader] = await loaded;
  byId("save-as").open = false;
  if (!(await readField())) return byId("text").focus();
  if (format === "link") {
    await navigator.clipboard.writeText(location.href);
    byId("status").textContent = "The link is copied.";
    return;
  }
  const options = { ...which(), coordinates: true, stipulation: reported() };
  const text = format === "svg" ? await reader.diagram(line(), options) : state.written[format];
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

