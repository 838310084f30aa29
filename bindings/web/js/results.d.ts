// Written by types.mjs from the JSON Schemas of matesolve.

/** The result for one problem. Every field except check is always present; it is null where it does not apply. Fields of a JSON problem that matesolve does not know follow at the end. Lengths are in moves of the side that mates. */
export interface Solution {
  schema_version: "1";
  /** The number of the problem's line in its file, from 1; null for a problem from the command line. */
  line: number | null;
  /** The name of the problem in the input. */
  id: string | number | null;
  /** With batch --check: whether the answer agrees with what the line claims; missing if it claims nothing. */
  check?: "ok" | "longer" | "shorter" | "wrong_move" | "wrong_side" | "not_found";
  /** The FEN of the position that was solved, with six fields; null if the problem is invalid. */
  fen: string | null;
  /** The stipulation; null if the problem is invalid. */
  stipulation: {
    /** #N: the side to move mates in N moves. #-N: the side to move is mated in N moves. # or #-: the shortest mate of any length. */
    text: string;
    /** The longest mate that is searched for, in moves; null if there is no limit. */
    moves: number | null;
    /** The side that mates. */
    attacker: "white" | "black";
  } | null;
  result: {
    /** mate: the side to move mates. mated: the side to move is mated. no_mate: no mate exists within the stipulated length. undecided: a limit was reached first. stalemate: the side to move has no legal move and is not in check. invalid: see error. */
    status: "mate" | "mated" | "no_mate" | "undecided" | "stalemate" | "invalid";
    /** A mate within this number of moves is proved; 0: the side to move is checkmated. */
    mate_in: number | null;
    /** It is proved that no mate exists within this number of moves; null if the side to move has no legal move. */
    refuted_through: number | null;
    /** It is proved that no mate of any length exists; then status is no_mate or stalemate. */
    no_mate_at_all: boolean;
    /** No shorter mate exists: mate_in is 0 or refuted_through + 1. */
    proved_shortest: boolean;
    /** The independent checker has replayed the proof of mate_in. */
    verified: boolean;
    /** The main line to checkmate in UCI notation. Castling is e1g1, or "king takes rook" if the position has Chess960 rights. */
    pv: Array<string> | null;
    /** The main line in standard algebraic notation, with move numbers. */
    pv_san: string | null;
    /** Whether the same command prints the same main line again; false if it is a matter of the timing of several threads, or if a time limit or the user ended the search; null without a mate. */
    pv_repeatable: boolean | null;
  };
  /** The answer to the question whether the side to move is mated, if it has no mate itself and this was asked too; null otherwise. The fields are those of result. */
  other_side: null | Solution["result"];
  /** With --moves or --lines: all first moves, the fastest mates first, each with the fields of result. Lengths and lines include the move. With --lines only the first K mates are exact. null if not asked for. */
  moves: Array<{
    /** The move in standard algebraic notation. */
    san: string;
    /** The move in UCI notation. */
    uci: string;
    status: "mate" | "no_mate" | "undecided";
    mate_in: Solution["result"]["mate_in"];
    refuted_through: Solution["result"]["refuted_through"];
    no_mate_at_all: boolean;
    proved_shortest: boolean;
    verified: boolean;
    pv: Solution["result"]["pv"];
    pv_san: string | null;
    pv_repeatable: Solution["result"]["pv_repeatable"];
  }> | null;
  stats: {
    /** The search engine; null if no search was needed. */
    engine: string | null;
    /** The number of nodes: positions that the search made by playing a move. Includes those of other_side, if it is not null. */
    nodes: number;
    /** Wall-clock time in milliseconds. */
    time_ms: number;
    /** The number of search threads. */
    threads: number;
    /** The memory limit in MiB. */
    hash_mb: number;
    /** The limit that ended the search; null if the search ended with an answer. */
    stopped_by: "nodes" | "time" | "memory" | "interrupt" | null;
  };
  /** Sentences about what is unusual in the problem, and about what was ignored. */
  warnings: Array<string>;
  /** The reason why there is no answer: the problem is invalid, or matesolve failed. */
  error: string | null;
}


/** The composer's report on one problem. Every field is always present; it is null where it does not apply or was not requested. Lengths are in moves of the attacker; the mate length of a move includes that move. */
export interface Report {
  schema_version: "1";
  /** The name of the problem in the input. */
  id: string | null;
  /** The position that was solved; null if the problem is invalid. */
  position: {
    /** The FEN with six fields, including rights that were assumed. */
    fen: string;
    side_to_move: "white" | "black";
    /** fen: the castling rights of the FEN. assumed: the rights that follow from the convention. none: an option excludes castling. */
    castling_source: "fen" | "assumed" | "none";
    /** fen: the FEN states the right. proved: the last move can only have been the double step. none: there is no such right. */
    en_passant_source: "fen" | "proved" | "none";
    /** Lists of the men, with S for the knight. */
    algebraic: {
      white: ReportMen;
      black: ReportMen;
    };
    men: {
      white: number;
      black: number;
      /** miniature: at most seven men. meredith: eight to twelve men. full: more than twelve men. */
      size: "miniature" | "meredith" | "full";
    };
  } | null;
  /** The stipulation; null if the problem is invalid. */
  stipulation: {
    text: string;
    /** The stipulated length in moves; null if the shortest mate is wanted. */
    moves: number | null;
    /** The side that mates. */
    attacker: "white" | "black";
  } | null;
  /** The options of the report. */
  options: {
    /** Report tries with at most this number of refutations; null: report no tries. */
    tries: number | null;
    set_play: boolean;
    /** The diagram shows the position after the key. */
    post_key: boolean;
    short_variations: boolean;
    /** The report contains the verdict and the keys, and no solution tree. */
    soundness_only: boolean;
    max_tree_nodes: number;
    intended_solutions: number;
    /** The last move of the attacker to which the play is written; null: all play. */
    depth: number | null;
  };
  result: {
    /** The kind of answer. mated: the diagram shows the position after the key, and the side to move is mated. */
    status: "mate" | "mated" | "no_mate" | "undecided" | "stalemate" | "invalid";
    /** short_solution: a shorter mate exists; there may also be cooks. no_solution: there is no mate of the stipulated length, or there are fewer keys than intended. */
    soundness: "sound" | "cooked" | "short_solution" | "no_solution" | "undecided";
    /** The length of the shortest mate from the diagram. */
    mate_in: number | null;
    /** It is proved that no mate exists within this number of moves. */
    refuted_through: number | null;
    proved_shortest: boolean;
    /** The independent checker has replayed a proof of every key. */
    verified: boolean;
    /** Keys that were not intended; all keys if the input does not name the intended ones. */
    cooks: Array<ReportPly>;
    /** Keys that mate in fewer moves than stipulated. */
    short_solutions: Array<ReportPly>;
    /** No limit was reached: everything requested was examined. */
    complete: boolean;
    /** The tree reached its maximal size. Play that is left out is marked by "cut". */
    truncated: boolean;
  };
  /** Every first move that mates within the stipulated length. */
  keys: Array<{
    san: ReportSan;
    uci: ReportUci;
    mate_in: number;
    /** The move does not mate in fewer moves; false if a limit was reached before that was proved. */
    exact: boolean;
    /** Whether the input names this move as the key; null if the input names no key. */
    intended: boolean | null;
    features: {
      check: boolean;
      capture: ReportRole;
      promotion: ReportRole;
      /** The defender can capture the man that moved. */
      sacrifice: boolean;
      flights_given: ReportSquares;
      flights_taken: ReportSquares;
      /** Squares of the defender's men that were pinned before the key and are not pinned after it. */
      unpins: ReportSquares;
      /** Squares of the defender's men that are pinned after the key and were not pinned before it. */
      pins: ReportSquares;
    };
    end: ReportEnd;
    play: ReportPlayOrNull;
  }>;
  /** First moves that only a few defences refute; null if not requested or not reached. */
  tries: Array<{
    san: ReportSan;
    uci: ReportUci;
    /** The move gives check. */
    trivial: boolean;
    refutations: Array<ReportPly>;
    end: ReportEnd;
    play: ReportPlayOrNull;
  }> | null;
  /** The play if the defender were to move in the diagram; null if not requested, impossible or not reached. */
  set_play: {
    /** The attacker has a reply to every move of the defender. */
    complete: boolean;
    play: ReportPlay;
  } | null;
  /** The play after the key, if the diagram shows the position after it. If post_key_refutations is not empty, the play after the other defences. */
  post_key: ReportPlayOrNull;
  /** The defences that refute the key, if the diagram shows the position after it. */
  post_key_refutations: Array<ReportPly>;
  /** How many of the first moves are refuted, and which are not decided because a limit was reached. The rest are keys. */
  first_moves: {
    /** The number of legal first moves; 0 if the diagram shows the position after the key. */
    total: number;
    /** The number of first moves that are proved not to mate within the stipulated length. */
    refuted: number;
    /** The first moves that are not decided. */
    open: Array<ReportPly>;
  };
  /** Places where the attacker has a choice of continuations. */
  duals: Array<{
    /** The moves from the key to the defence. In a threat the defender's pass is left out. */
    line: Array<ReportPly>;
    /** The number of the attacker's move; the key is move 1. */
    at_move: number;
    moves: Array<ReportPly>;
    kind: "continuation" | "mating_move" | "promotion";
    /** major: on the second move of an actual variation. minor: on a later move, after a threat, between threats, or in the promotion piece only. */
    severity: "major" | "minor";
    in_threat: boolean;
  }>;
  stats: {
    engine: string | null;
    /** The number of moves played by the search. */
    nodes: number;
    time_ms: number;
    threads: number;
    hash_mb: number;
    /** The limit that was reached; null if none was reached. */
    stopped_by: "nodes" | "time" | "memory" | "interrupt" | null;
  };
  warnings: Array<string>;
  /** The reason why there is no report. */
  error: string | null;
}

/** Standard algebraic notation. */
export type ReportSan = string;

/** UCI notation. Castling is e1g1, or "king takes rook" if the position has Chess960 rights. */
export type ReportUci = string;

export type ReportRole = "P" | "N" | "B" | "R" | "Q" | "K" | null;

export type ReportSquares = Array<string>;

export type ReportMen = Array<string>;

export type ReportPly = {
  san: ReportSan;
  uci: ReportUci;
};

/** mate: the move is checkmate. cut: the play after the move is left out. null: see play. */
export type ReportEnd = "mate" | "cut" | null;

export type ReportPlayOrNull = null | ReportPlay;

/** The play after a move of the attacker: threats and variations. {"ref": N} stands for the earlier play whose node is N. */
export type ReportPlay = {
  ref: number;
} | {
  node: number;
  /** The number of moves that the attacker has left. */
  left: number;
  /** The exact mate length against the best defence; null after a try and in set play. */
  mate_in: number | null;
  /** There is no threat, but every move of the defender loses. */
  zugzwang: boolean;
  /** The shortest mates if the defender passed; empty in zugzwang, after a check and in set play. */
  threats: Array<ReportContinuation>;
  /** The defences against the threat; all defences if there is no threat. */
  variations: Array<{
    defence: ReportPly;
    /** The exact mate length after the defence. */
    mate_in: number;
    /** All moves that mate in this length; more than one is a dual. */
    continuations: Array<ReportContinuation>;
  }>;
  /** The number of defences not shown: the threat still works, or the mate is shorter. In set play: the number of moves without a reply. */
  unshown: number;
  /** Some of the play is left out. */
  cut: boolean;
};

export type ReportContinuation = {
  san: ReportSan;
  uci: ReportUci;
  /** The exact mate length, including this move. */
  mate_in: number;
  end: ReportEnd;
  play: ReportPlayOrNull;
};
