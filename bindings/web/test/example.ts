// Uses the package as a program in TypeScript does. `types.test.mjs` lets the compiler check it; it is not run.

import { createSolver, type Report, type Solution } from "matesolve";

const solver = await createSolver();
const result: Solution = await solver.solve("5Kbk/6pp/6P1/8/8/8/8/7R w - -", {
  mate: 2,
  nodes: 1_000_000,
  time: 5000,
  onProgress: (event) => console.log(event.kind === "mate" ? `mate in ${event.moves}` : event.text),
});
const length: number | null = result.result.mate_in;
const status: "mate" | "mated" | "no_mate" | "undecided" | "stalemate" | "invalid" | "solved" | "no_solution" =
  result.result.status;
const report: Report = await solver.report("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;", { tries: true, setPlay: true });
const keys: string[] = report.keys.map((key) => key.san);
const { html, popeye } = await solver.write("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;", { formats: ["html", "popeye"] });
const texts: string[] = [html, popeye];
// @ts-expect-error: there is no such option
await solver.solve("", { nods: 1 });
// @ts-expect-error: this format was not asked for
(await solver.write("", { formats: ["html"] })).olv;
const mended: string[] | undefined = (await solver.mend("5Kbk/6pp/8/8/8/8/8/7R w - -", { stipulation: "#2" }))?.proposals.map((one) => one.fen);
const moves: Solution = await solver.moves("5Kbk/6pp/6P1/8/8/8/8/7R w - -", { mate: 2, signal: new AbortController().signal });
const firsts = moves.moves?.map((move) => move.san);
solver.cancel();
console.log(length, status, keys, texts, firsts, mended);
