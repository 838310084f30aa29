// matesolve in a browser: the module is loaded from beside this file and runs in a Web Worker.

import { Solver } from "./solver.js";

/**
 * Makes a solver. `wasm` is the module, its bytes or its address, if it does not lie beside this file; `worker` is the
 * address of `worker-browser.js`, if that does not.
 */
export async function createSolver({ wasm, worker: script } = {}) {
  const module = await compile(wasm ?? new URL("./matesolve.wasm", import.meta.url));
  return new Solver((receive, fail) => {
    // Bundlers find the script by this form alone: the address inside the call.
    const worker = script
      ? new Worker(script, { type: "module" })
      : new Worker(new URL("./worker-browser.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", (event) => receive(event.data));
    worker.addEventListener("error", (event) => fail(new Error(`the worker of matesolve failed: ${event.message ?? "its script cannot be loaded"}`)));
    const flag = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
    worker.postMessage({ module, flag });
    return { flag, post: (message) => worker.postMessage(message), stop: () => worker.terminate(), hold: () => {} };
  });
}

async function compile(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return WebAssembly.compile(wasm);
  const response = await fetch(wasm);
  if (!response.ok) throw new Error(`${wasm} cannot be loaded: the server answers ${response.status}`);
  const type = response.headers.get("content-type") ?? "";
  // A server of pages gives its page for files that it does not have.
  if (type.startsWith("text/html")) throw new Error(`${wasm} is a page, not the module of matesolve: ${HINT}`);
  // Some static hosts do not know the type of the file, and streaming insists on it.
  return type.startsWith("application/wasm") ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

const HINT = 'with Vite, write optimizeDeps: { exclude: ["matesolve"] } into its configuration; with another bundler, see "Bundlers" in the readme';
