import type { Report, Solution, Workbench } from "./results.js";

export type { Report, Solution, Workbench } from "./results.js";

/** The module of matesolve, if it does not lie beside the package's scripts. */
export interface SolverOptions {
  /** The compiled module (a `WebAssembly.Module`), its bytes, or its address (a `URL` or, in Node, the name of a file). */
  wasm?: object | string;
  /** In browsers: the address of the package's `js/worker-browser.js`. */
  worker?: { readonly href: string } | string;
  /** In Node: the stack of the worker, in MiB. Default: 64. */
  stackSizeMb?: number;
}

/** What a search may cost. Without limits it runs until it is answered or cancelled. */
export interface Limits {
  /** Milliseconds, from 1. */
  time?: number;
  /** Nodes. With a node limit and no other, two runs give the same answer. */
  nodes?: number;
  /** Memory for the tables, in MiB: 1 to 2048. Default: 256. */
  hash?: number;
}

/** Which problem of a text is meant. */
export interface Which {
  /** The number of the problem, from 1. Needed only if the text has several: an `.olv` collection, Popeye's input, lines. */
  problem?: number;
}

/** How a job is watched and stopped. */
export interface Watch<Event> {
  /** Is called with each event while the search runs. */
  onProgress?: (event: Event) => void;
  /** Cancels this job, like `Solver.cancel` all jobs. */
  signal?: Signal;
}

/** What is used of an `AbortSignal`. It is described here, because not every program has the types of browsers or Node. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The error of a cancelled job. */
export interface Aborted<Value, Event> {
  /** `TimeoutError` if the signal is one of `AbortSignal.timeout`. */
  name: "AbortError" | "TimeoutError";
  /** What the search returned when it was stopped. null in browsers whose page is not cross-origin isolated. */
  result: Value | null;
  /** The last event of each kind. */
  events: Event[];
}

/** What a search has found so far. A mate is final only when the promise resolves: then the checker has replayed it. */
export type SolveEvent = { text: string; nodes: number } & (
  | {
      kind: "mate" | "refuted";
      /** A mate within this number of moves is claimed, or it is proved that there is none. */
      moves: number;
    }
  /** Sent about every half second. */
  | { kind: "nodes" }
);

/** What is known of a list of first moves so far. */
export type MoveEvent = { text: string; nodes: number } & (
  /** A first move is answered; `move` is what the result will say of it. */
  | { kind: "move"; san: string; move: NonNullable<Solution["moves"]>[number] }
  | { kind: "nodes" }
);

/** What a report has found so far. */
export type ReportEvent = { text: string; nodes: number } & (
  | { kind: "refuted"; moves: number }
  | { kind: "key"; san: string; moves: number }
  | { kind: "firstMoves"; decided: number; total: number }
  | { kind: "try"; san: string; refutations: number }
  | { kind: "tree"; plays: number }
  | { kind: "nodes" }
);

/** How far a search for sound versions is. */
export type MendEvent = { text: string; nodes: number } & (
  /** The diagrams that were tried, and how many of them are sound. */
  | { kind: "tried"; tried: number; sound: number }
  | { kind: "nodes" }
);

/** The question of a solve. `mate`, `anyLength` and a `stipulation` with a length exclude one another. */
export interface SolveOptions extends Limits, Which, Watch<SolveEvent> {
  /** Look for the shortest mate of at most this many moves, 1 to 1000: like `stipulation`. */
  mate?: number;
  /** The first mate found will do, which need not be the shortest. */
  first?: boolean;
  /** Look for the shortest mate, whatever length the position states. */
  anyLength?: boolean;
  /**
   * The stipulation, such as `#3`, `#-2` if the side to move is mated, `exact-#3`, `=3`, `s#3`, `s=3`, `r#3`, `semi-r#3`,
   * or help play such as `h#2.5`. `s#` without a number: the shortest; then `mate` may state a length.
   */
  stipulation?: string;
  /** Ask in how many moves the side to move is mated. */
  defend?: boolean;
  /** The side that mates in the end, or reaches another goal. Default: as the stipulation says; in help play, White. */
  attacker?: "white" | "black";
  /** If there is no mate, also ask whether the side to move is mated. Default: true. */
  otherSide?: boolean;
  /** The search engine. Default: `race`. */
  engine?: string;
}

/** The question for each first move. The side to move strives for the goal. */
export interface MovesOptions extends Limits, Which, Watch<MoveEvent> {
  /** Shortest mates of at most this many moves: 1 to 1000. */
  mate?: number;
  /** The first mate found for a move will do, which need not be the shortest. */
  first?: boolean;
  /** Shortest mates, whatever length the position states. */
  anyLength?: boolean;
  /** The stipulation, such as `#3`, `=3`, `s#3` or `r#3`; no help play. */
  stipulation?: string;
  /** Only the best moves, this many: 1 to 255. Default: all. */
  lines?: number;
}

/** The content and the conventions of a report. */
export interface ReportOptions extends Limits, Which, Watch<ReportEvent> {
  /** The stipulation, such as `#3`, `s#3` or `h#2.5`. Default: that of the position, or the shortest mate. */
  stipulation?: string;
  /** The side that mates in the end, or reaches another goal. Default: as the stipulation says; in help play, White. */
  attacker?: "white" | "black";
  /** The length of the mate, like `stipulation`: 1 to 1000. */
  mate?: number;
  /** Set play, tries, the phases side by side and the themes. */
  full?: boolean;
  /** Tries with at most this many refutations, 1 to 100; `true` means 1. With `play`, only those on which some defence loses. */
  tries?: boolean | number | "play" | `${number},play`;
  /** The play if the defender were to move in the diagram. */
  setPlay?: boolean;
  /** The phases that the report has side by side, as `phases_table`. */
  phases?: boolean;
  /** The themes of the phases that the report has, as `themes`. */
  themes?: boolean;
  /** Only the verdict and the keys. */
  soundness?: boolean;
  /** The diagram shows the position after the key. */
  postKey?: boolean;
  /** Also show variations that mate faster than the threat. */
  shortVariations?: boolean;
  /** The number of solutions that the composer intends: 1 to 1000. Default: 1. */
  intended?: number;
  /** The largest number of positions in the solution tree. Default: 20,000. */
  maxTreeNodes?: number;
  /** Where castling rights come from. Default: `fen`; `assume` if the FEN has no castling field. */
  castling?: "fen" | "assume" | "none";
  /** Pairs of rooks whose castling rights exclude each other, such as `a1h8`. */
  castlingExclusive?: string[];
}

/** The question to the workbench: which small changes make an unsound problem sound. */
export interface MendOptions extends Limits, Which, Watch<MendEvent> {
  /** The stipulation with its length, such as `#2`. Default: that of the position. */
  stipulation?: string;
  /** The intended key, such as `Rh6`. Default: every first move that solves the diagram counts. */
  key?: string;
  /** The largest number of changes, 1 or 2. Default: 2. */
  changes?: number;
  /** Also propose diagrams with more promoted men. */
  promoted?: boolean;
  /** The largest number of proposals: 1 to 1000. Default: 20. */
  proposals?: number;
}

/** The forms in which a report can be written. */
export type ReportFormat = "json" | "text" | "popeye" | "html" | "latex" | "olv" | "pgn";

export interface WriteOptions<Format extends ReportFormat = ReportFormat> extends ReportOptions {
  formats: Format[];
  /** The letters of the men in `text`, `popeye` and `html`. */
  letters?: "en" | "en-s" | "cs" | "de" | "es" | "fr" | "it" | "nl" | "pl" | "pt" | "ru" | "figurines";
  /** The last move to which the play is written, or `all`. */
  depth?: string;
}

/** A problem of a text, or the reason why it is none. */
export type ReadProblem =
  | {
      fen: string;
      id: string | null;
      /** The line in the text, from 1; null for a single position. */
      line: number | null;
      /** Such as `#3` or `s#3`; null if the text states none. */
      stipulation: string | null;
      warnings: string[];
      /** The phases of a problem with twins or of a duplex; else empty. `report` solves all, `solve` the first. */
      phases: string[];
      /** What the text asks a report for. `report` adds it to its options. */
      asked: { setPlay: boolean; tries: number | null; intended: number | null; postKey: boolean };
      error?: undefined;
    }
  | { error: string };

export interface DiagramOptions extends Which {
  title?: string;
  stipulation?: string;
  /** Letters and numbers around the board. */
  coordinates?: boolean;
  /** Pixels. Default: 400. */
  width?: number;
}

/**
 * Solves one problem at a time in a worker; further calls wait for their turn.
 *
 * Positions may be written in every form that the command line accepts: FEN, EPD, JSON, a pasted game, an address, an
 * `.olv` entry with its twins, Popeye's input. A position that cannot be read is no exception: the result has `status: "invalid"` and `error` says why. Wrong options
 * reject the promise with a `TypeError`.
 */
export interface Solver {
  /** Solves a position. The result object is that of `matesolve --format json`. */
  solve(position: string, options?: SolveOptions): Promise<Solution>;
  /** Answers the question for each first move: `moves` of the result, the fastest mates first. */
  moves(position: string, options?: MovesOptions): Promise<Solution>;
  /** Makes the composer's report. The report object is that of `matesolve report --format json`. */
  report(position: string, options?: ReportOptions): Promise<Report>;
  /** Makes the composer's report and returns one text for each format. */
  write<Format extends ReportFormat>(position: string, options: WriteOptions<Format>): Promise<Record<Format, string>>;
  /** Looks for sound versions, one or two small changes away: `proposals`, the best first. null if the problem is sound. */
  mend(position: string, options?: MendOptions): Promise<Workbench | null>;
  /** Reads the problems of a pasted text or a file: one position in any form, EPD lines, JSON, PGN, `.olv`, Popeye's input. */
  read(text: string): Promise<ReadProblem[]>;
  /** Draws a position as an SVG picture. */
  diagram(position: string, options?: DiagramOptions): Promise<string>;
  /** Returns the version of matesolve. */
  version(): Promise<string>;
  /** Ends the running job and the waiting ones; their promises are rejected with an `AbortError` (see `Aborted`). */
  cancel(): void;
  /** Ends all jobs and the worker. The solver cannot be used any more. */
  close(): void;
}

/** Loads matesolve and makes a solver. */
export function createSolver(options?: SolverOptions): Promise<Solver>;
