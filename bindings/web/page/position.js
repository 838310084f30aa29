// A position as the page holds it: the men by square, the side to move, and castling rights. The library checks whether
// it can be solved; this file only turns it into FEN and back.

export const FILES = "abcdefgh";

/** The squares of king and rook for each castling right. */
const HOMES = { K: ["e1", "K", "h1", "R"], Q: ["e1", "K", "a1", "R"], k: ["e8", "k", "h8", "r"], q: ["e8", "k", "a8", "r"] };

export const EMPTY = { men: {}, turn: "w", castling: "", enPassant: "-" };

/** Reads a FEN that the library has written. */
export function fromFen(fen) {
  const [board, turn, castling, enPassant] = fen.split(" ");
  const men = {};
  board.split("/").forEach((rank, row) => {
    let file = 0;
    for (const letter of rank) {
      if (/\d/.test(letter)) file += Number(letter);
      else men[FILES[file++] + (8 - row)] = letter;
    }
  });
  return { men, turn, castling: castling === "-" ? "" : castling, enPassant };
}

export function toFen({ men, turn, castling, enPassant }) {
  const rank = (number) => {
    const row = [...FILES].map((file) => men[file + number] ?? "1").join("");
    return row.replace(/1+/g, (empty) => empty.length);
  };
  const board = [8, 7, 6, 5, 4, 3, 2, 1].map(rank).join("/");
  return `${board} ${turn} ${castling || "-"} ${enPassant}`;
}

/** The castling rights that king and rook on their squares allow. */
export function possibleCastling(men) {
  return Object.keys(HOMES).filter((right) => {
    const [king, k, rook, r] = HOMES[right];
    return men[king] === k && men[rook] === r;
  });
}

/**
 * Returns the position with other men. Castling follows the convention of problems: allowed where king and rook are on
 * their squares, unless the right was there before and had been removed.
 */
export function withMen(position, men) {
  const before = possibleCastling(position.men);
  const castling = possibleCastling(men).filter((right) => !before.includes(right) || position.castling.includes(right));
  return { ...position, men, castling: castling.join(""), enPassant: "-" };
}
