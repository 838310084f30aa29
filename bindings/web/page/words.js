// Results in words, as the command line says them.

/** A number with its noun. */
export const plural = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
const LIMITS = { nodes: "node limit reached", time: "time limit reached", memory: "memory limit reached", interrupt: "interrupted" };

const NOUNS = {
  "=": "stalemate",
  "s#": "selfmate",
  "s=": "self-stalemate",
  "r#": "reflex mate",
  "semi-r#": "semi-reflex mate",
};

/** The noun for a solution of a stipulation: `s#3` has selfmates. */
export function noun(stipulation) {
  return NOUNS[/^[a-z-]*[#=]/.exec(stipulation ?? "")?.[0]] ?? "mate";
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** The verdict of a solve, and whether it is an answer. */
export function verdict({ result, stats, solutions, complete, stipulation }) {
  const { status, refuted_through: refuted } = result;
  const mate = result.solved_in;
  const what = noun(stipulation?.text);
  const limit = stats.stopped_by ? ` (${LIMITS[stats.stopped_by]})` : "";
  const none = refuted > 0 ? `; none in ${plural(refuted, "move")} or fewer` : "";
  if (solutions) return countOf(solutions, complete) + limit;
  switch (status) {
    case "mate":
    case "mated":
    case "solved": {
      if (mate === 0) return status === "solved" ? `${capital(what)} on the board` : "Checkmate";
      const word = status === "mated" ? "Mated" : capital(what);
      if (result.proved_shortest) return `${word} in ${mate}, proved shortest`;
      return `${word} in at most ${mate}${refuted > 0 ? `, not in ${refuted}` : ""}${limit}`;
    }
    case "no_mate":
    case "no_solution":
      return result.no_mate_at_all ? `No ${what} at all` : `No ${what} in ${refuted}`;
    case "stalemate":
      return "Stalemate";
    case "invalid":
      return "This position cannot be solved";
    default:
      return `No ${what} found${none}${limit}`;
  }
}

/** What is known of a first move. */
export function moveVerdict({ status, solved_in: length, refuted_through: refuted, no_mate_at_all: never }, what) {
  if (length != null) return `${what} in ${length}:`;
  if (never) return `no ${what}:`;
  return status === "undecided" ? `undecided${refuted ? `, not in ${refuted}` : ""}:` : `no ${what} in ${refuted}:`;
}

/** The number of solutions of help play, and whether these are all. */
function countOf({ length }, complete) {
  if (complete) return length === 0 ? "No solution" : `${plural(length, "solution")}, ${length === 1 ? "this is" : "these are"} all`;
  return length === 0 ? "No solution found" : `${plural(length, "solution")} found, there may be more`;
}

/** The verdict of a report. */
export function reportVerdict({ result, keys, stats, first_moves: firstMoves, solutions, complete }) {
  const words = {
    sound: "Sound",
    cooked: "Cooked",
    short_solution: "Short solution",
    no_solution: "No solution",
    incomplete: "Fewer solutions than intended",
    undecided: `Undecided${stats.stopped_by ? ` (${LIMITS[stats.stopped_by]})` : ""}`,
  };
  if (result.status === "invalid") return "This position cannot be solved";
  if (solutions) return `${words[result.soundness]}: ${countOf(solutions, complete)}`;
  const moves = keys.map((key) => key.san).join(", ");
  // While first moves are not decided, there may be more keys.
  const atLeast = firstMoves.open.length > 0 && result.soundness !== "undecided" ? "at least " : "";
  return words[result.soundness] + (moves ? `: ${atLeast}${moves}` : "");
}

/** Why there is no list of first moves; empty if there is one. */
export function noFirstMoves(stipulation) {
  return /^(h|ser-|reci-)/.test(stipulation) ? "First moves: not of help play, in which no side resists from the first move on." : "";
}

/** A proposal of the workbench. */
export function proposal({ changes, keys, kept }) {
  return `${changes.join(", ")}: 1. ${keys.map((key) => key.san).join(", ")}!${kept.key ? " (the same key)" : ""}`;
}

/** What a search has cost. */
export function cost({ engine, nodes, time_ms: time }) {
  return engine ? `${plural(nodes, "node")}, ${time < 1000 ? `${time} ms` : `${(time / 1000).toFixed(1)} s`}` : "";
}

/** What is known so far, from the events of a running search. */
export class Progress {
  #mate = null;
  #refuted = 0;
  #text = "";
  #nodes = 0;
  #what;

  /** `what` is the noun for a solution, such as `selfmate`. */
  constructor(what) {
    this.#what = what;
  }

  add(event) {
    this.#nodes = event.nodes;
    if (event.kind === "mate") this.#mate = Math.min(event.moves, this.#mate ?? Infinity);
    else if (event.kind === "refuted") this.#refuted = Math.max(event.moves, this.#refuted);
    else if (event.kind !== "nodes") this.#text = event.text;
  }

  toString() {
    const parts = [];
    if (this.#mate) parts.push(`${this.#what} in at most ${this.#mate}`);
    if (this.#refuted) parts.push(`no ${this.#what} in ${this.#refuted}`);
    if (this.#text) parts.push(this.#text);
    return parts.join("; ");
  }

  /** The nodes, and their rate after this number of seconds. */
  nodes(seconds) {
    if (!this.#nodes) return "";
    const rate = Math.round(this.#nodes / Math.max(seconds, 0.1) / 1000);
    return `${plural(this.#nodes, "node")}, ${rate.toLocaleString("en")},000 a second`;
  }
}
