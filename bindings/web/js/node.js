// matesolve in Node: the module runs in a worker thread.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { Solver } from "./solver.js";

/** The stack of the worker in MiB: room for lines of thousands of plies. */
const STACK = 64;

/** Makes a solver. `wasm` is the module, its bytes or its file, if it does not lie beside this file. */
export async function createSolver({ wasm, stackSizeMb = STACK } = {}) {
  const module = await compile(wasm ?? new URL("./matesolve.wasm", import.meta.url));
  return new Solver((receive, fail) => {
    const worker = new Worker(new URL("./worker-node.js", import.meta.url), { resourceLimits: { stackSizeMb } });
    worker.on("message", receive);
    worker.on("error", (error) => fail(new Error(`the worker of matesolve failed: ${error.message}`)));
    const flag = new Int32Array(new SharedArrayBuffer(4));
    worker.postMessage({ module, flag });
    return {
      flag,
      post: (message) => worker.postMessage(message),
      stop: () => worker.terminate(),
      // A worker that has nothing to do does not keep the program alive.
      hold: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    };
  });
}

async function compile(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  return WebAssembly.compile(wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm) ? wasm : await readFile(wasm));
}
