// matesolve in a browser: the module is loaded from beside this file and runs in a Web Worker.

import { Solver } from "./solver.js";

/** Makes a solver. `wasm` is the module, its bytes or its address, if it does not lie beside this file. */
export async function createSolver({ wasm } = {}) {
  const module = await compile(wasm ?? new URL("./matesolve.wasm", import.meta.url));
  return new Solver((receive, fail) => {
    const worker = new Worker(new URL("./worker-browser.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", (event) => receive(event.data));
    worker.addEventListener("error", (event) => fail(new Error(`the worker of matesolve failed: ${event.message}`)));
    worker.postMessage({ module });
    return { post: (message) => worker.postMessage(message), stop: () => worker.terminate(), hold: () => {} };
  });
}

async function compile(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return WebAssembly.compile(wasm);
  const response = await fetch(wasm);
  if (!response.ok) throw new Error(`${wasm} cannot be loaded: the server answers ${response.status}`);
  // Some static hosts do not know the type of the file, and streaming insists on it.
  const isKnown = response.headers.get("content-type")?.startsWith("application/wasm");
  return isKnown ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
