// The lines of an answer: their moves are buttons, and the board shows the position after each, or the diagram with an
// arrow for the first move.

import { play, squares } from "./position.js";

/** The moves of a line with their numbers: `1. Rh6 Ba2 2. Rxh7#`, or `1.O-O Kh5 2.Kh7 Ng5#` of help play. */
const MOVES = /(\d+\.+)?\s*([^\s\d.]\S*)/g;

/** The number that a move of a line has in the game whose position this is; undefined after a move of White. */
function ofGame({ turn, number }, ply) {
  const half = ply + (turn === "b" ? 1 : 0);
  if (half % 2 === 1 && ply > 0) return undefined;
  return `${number + Math.floor(half / 2)}${half % 2 === 1 ? "..." : "."}`;
}

export class Lines {
  #element;
  #show;
  /** The lines that can be played. A step has the button, the position after it, its squares, and the moves so far. */
  #lines = [];
  /** The line that the board shows, and the number of its moves that are played. */
  #line = 0;
  #at = 0;

  /** `show` is called with what the board shows: see `#tell`. */
  constructor(element, show) {
    this.#element = element;
    this.#show = show;
    element.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      const line = this.#line + by;
      if (!this.#lines[line]) return;
      event.preventDefault();
      this.go(line, Math.min(Math.max(this.#at, 1), this.#lines[line].steps.length));
    });
  }

  get isEmpty() {
    return this.#lines.length === 0;
  }

  /**
   * Shows lines that begin in this position: each has its moves as `san` and as a list `uci`, and words before them. `name`
   * is what a line is called.
   */
  set(position, lines, name = "Line") {
    [this.#lines, this.#line, this.#at] = [[], 0, 0];
    this.#element.replaceChildren(...lines.map((line, index) => {
      return this.#add(position, line, lines.length > 1 ? `${name} ${index + 1}` : name);
    }));
    if (!this.isEmpty) this.#tell();
  }

  /** Adds a line below the others. */
  add(position, line) {
    this.#element.append(this.#add(position, line, `Line ${this.#lines.length + 1}`));
  }

  #add(position, { label = "", san, uci }, name) {
    const element = document.createElement("p");
    if (label) element.append(Object.assign(document.createElement("span"), { textContent: label, className: "soft" }), " ");
    const moves = [...san.matchAll(MOVES)];
    if (moves.length !== uci.length) {
      element.append(san);
      return element;
    }
    let [before, played] = [position, ""];
    const [line, steps] = [this.#lines.length, []];
    moves.forEach(([, ofLine, move], ply) => {
      const number = position.number > 1 ? ofGame(position, ply) : ofLine;
      played += `${number ? `${number} ` : ""}${move} `;
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: move, className: "move" });
      button.addEventListener("click", () => this.go(line, ply + 1));
      steps.push({ button, after: play(before, uci[ply]), squares: squares(before, uci[ply]), played: played.trim() });
      before = steps[ply].after;
      if (number) element.append(`${number} `);
      element.append(button, " ");
    });
    if (steps.length > 0) this.#lines.push({ name, steps });
    return element;
  }

  /** Goes to the diagram (`first`), one move `back` or `forward`, or to the end of the line (`last`). */
  step(where) {
    const { length } = this.#lines[this.#line].steps;
    const to = { first: 0, back: this.#at - 1, forward: this.#at + 1, last: length }[where];
    this.go(this.#line, Math.min(Math.max(to, 0), length));
  }

  /** Shows a line after this number of its moves. */
  go(line, at) {
    [this.#line, this.#at] = [line, at];
    const button = this.#lines[line].steps[at - 1]?.button;
    button?.scrollIntoView({ block: "nearest" });
    if (this.#element.contains(document.activeElement)) button?.focus({ preventScroll: true });
    this.#tell();
  }

  /** Marks the move, and says what the board shows: position (null: the diagram), squares, words, and the ends of the line. */
  #tell() {
    this.#element.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const { name, steps } = this.#lines[this.#line];
    const step = steps[this.#at - 1];
    step?.button.setAttribute("aria-current", "step");
    const words = step ? `${name}, move ${this.#at} of ${steps.length}: ${step.played}` : `Diagram; the arrow shows ${steps[0].played}`;
    const [last, next] = step ? [step.squares, null] : [null, steps[0].squares];
    this.#show({ at: step?.after ?? null, last, next, words, isFirst: !step, isLast: this.#at === steps.length });
  }
}
