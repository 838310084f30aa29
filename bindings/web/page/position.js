// A position as the page holds it: the men by square, the side to move, castling rights and the square of a capture en
// passant. The library checks whether it can be solved; this file turns it into FEN and back, and plays the moves of a
// solution.

export const FILES = "abcdefgh";

/** The squares of king and rook for each castling right. */
const HOMES = { K: ["e1", "K", "h1", "R"], Q: ["e1", "K", "a1", "R"], k: ["e8", "k", "h8", "r"], q: ["e8", "k", "a8", "r"] };

export const EMPTY = { men: {}, turn: "w", castling: "", enPassant: "-" };

/** Reads a FEN that the library has written. `number` is that of the next move, if the position is one of a game. */
export function fromFen(fen) {
  const [board, turn, castling, enPassant, , number] = fen.split(" ");
  const men = {};
  board.split("/").forEach((rank, row) => {
    let file = 0;
    for (const letter of rank) {
      if (/\d/.test(letter)) file += Number(letter);
      else men[FILES[file++] + (8 - row)] = letter;
    }
  });
  return { men, turn, castling: castling === "-" ? "" : castling, enPassant, number: Number(number) || 1 };
}

export function toFen({ men, turn, castling, enPassant, number = 1 }) {
  const rank = (number) => {
    const row = [...FILES].map((file) => men[file + number] ?? "1").join("");
    return row.replace(/1+/g, (empty) => empty.length);
  };
  const board = [8, 7, 6, 5, 4, 3, 2, 1].map(rank).join("/");
  return `${board} ${turn} ${castling || "-"} ${enPassant}${number > 1 ? ` 0 ${number}` : ""}`;
}

/** The castling rights that king and rook on their squares allow. */
export function possibleCastling(men) {
  return Object.keys(HOMES).filter((right) => {
    const [king, k, rook, r] = HOMES[right];
    return men[king] === k && men[rook] === r;
  });
}

/** The squares on which a capture en passant may be possible, with the man that captures. */
export function possibleEnPassant({ men, turn }) {
  const [rank, pawn, passed, from, forward] = turn === "w" ? [5, "P", "p", 7, 1] : [4, "p", "P", 2, -1];
  return [...FILES].filter((file, index) => {
    const beside = [FILES[index - 1], FILES[index + 1]].some((other) => men[other + rank] === pawn);
    return beside && men[file + rank] === passed && !men[file + (rank + forward)] && !men[file + from];
  }).map((file) => file + (rank + forward));
}

/** Returns the squares of a legal move in UCI notation; of castling those of the king. */
export function squares({ men }, move) {
  const [f, t] = [move.slice(0, 2), move.slice(2, 4)];
  const isCastling = /k/i.test(men[f]) && men[t] && men[t] < "a" === men[f] < "a";
  return { f, t: isCastling ? (t > f ? "g" : "c") + t[1] : t };
}

/** Returns the position after a legal move in UCI notation. */
export function play(position, move) {
  const [from, to, promoted] = [move.slice(0, 2), move.slice(2, 4), move[4]];
  const [men, man] = [{ ...position.men }, position.men[from]];
  const isWhite = position.turn === "w";
  const steps = FILES.indexOf(to[0]) - FILES.indexOf(from[0]);
  const takesOwn = men[to] && men[to] < "a" === isWhite;
  delete men[from];
  if (/k/i.test(man) && (takesOwn || Math.abs(steps) === 2)) {
    // Castling, written as two steps of the king or, from other squares, as "king takes rook".
    const rook = takesOwn ? to : (steps > 0 ? "h" : "a") + to[1];
    delete men[rook];
    men[(steps > 0 ? "g" : "c") + to[1]] = man;
    men[(steps > 0 ? "f" : "d") + to[1]] = isWhite ? "R" : "r";
  } else {
    if (/p/i.test(man) && steps !== 0 && !men[to]) delete men[to[0] + from[1]];
    men[to] = promoted ? (isWhite ? promoted.toUpperCase() : promoted) : man;
  }
  const castling = possibleCastling(men).filter((right) => position.castling.includes(right)).join("");
  const next = { men, turn: isWhite ? "b" : "w", castling, enPassant: "-" };
  const passed = to[0] + (Number(from[1]) + Number(to[1])) / 2;
  const isDouble = /p/i.test(man) && Math.abs(from[1] - to[1]) === 2;
  return isDouble && possibleEnPassant(next).includes(passed) ? { ...next, enPassant: passed } : next;
}

/**
 * Returns the position with other men. Castling follows the convention of problems: allowed where king and rook are on
 * their squares, unless the right was there before and had been removed.
 */
export function withMen(position, men) {
  const before = possibleCastling(position.men);
  const castling = possibleCastling(men).filter((right) => !before.includes(right) || position.castling.includes(right));
  return { ...position, men, castling: castling.join(""), enPassant: "-", number: 1 };
}
