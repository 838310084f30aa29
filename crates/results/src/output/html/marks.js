"use strict";
// Marks a move on a board of eight by eight squares of 100 units, drawn with White below: its two squares in colour, or an
// arrow. The page of a report and the page that solves draw their marks with it.

// The upper left corner of a square on the board.
const corner = (square) => [(square.charCodeAt(0) - 97) * 100, (8 - Number(square[1])) * 100];

function svg(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// The arrow of a move from the middle of one square to that of another.
function arrow({ f, t }) {
  const [[x, y], [toX, toY]] = [corner(f), corner(t)];
  const [length, turn] = [Math.hypot(toX - x, toY - y), (Math.atan2(toY - y, toX - x) * 180) / Math.PI];
  const neck = length - 48;
  return svg("path", {
    d: `M0-10H${neck}V-29L${length} 0 ${neck} 29V10H0z`,
    transform: `translate(${x + 50} ${y + 50}) rotate(${turn})`,
    fill: "#1f7a3d",
    "fill-opacity": 0.8,
  });
}

// Colours the squares of the last move in the group below the men, and draws the arrow of the next one in the group above
// them. A move has its squares as `f` and `t`; without one there is no mark.
function markMoves(below, above, last, next) {
  below.replaceChildren(...(last ? [last.f, last.t] : []).map((square) => {
    const [x, y] = corner(square);
    return svg("rect", { x, y, width: 100, height: 100, fill: "#e0b020", "fill-opacity": 0.5 });
  }));
  above.replaceChildren(...(next ? [arrow(next)] : []));
}
