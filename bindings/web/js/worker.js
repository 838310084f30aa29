// What a worker does: it carries out requests with an instance of the WebAssembly module.
//
// A search that needs more stack or memory than there is breaks its instance. That must not become a wrong answer or a
// dead worker: a new instance writes the answer "undecided", with the reason, and goes on with the next request.

/** An instance with more memory than this is not kept for the next request, because memory never becomes smaller. */
const KEPT_MEMORY = 128 << 20;

export class Host {
  #module;
  #instance = null;
  #panicked = false;
  #send;
  #flag;

  /** `flag` is a shared number that becomes 1 when the running search is to stop; null where none can be shared. */
  constructor(module, flag = null) {
    this.#module = module;
    this.#flag = flag;
  }

  /** Carries out a request and returns the answer as JSON. `send` receives progress events as JSON. */
  answer(request, send) {
    this.#send = send;
    try {
      return this.#call(request);
    } catch (error) {
      const gaveUp = this.#reason(error);
      this.#instance = null;
      if (gaveUp === "fault") console.error(error);
      return this.#givenUp({ ...request, gaveUp });
    } finally {
      if (this.memory > KEPT_MEMORY) this.#instance = null;
    }
  }

  /** Returns the answer of a search that was given up. */
  #givenUp(request) {
    try {
      return this.#call(request);
    } catch (error) {
      this.#instance = null;
      throw error;
    }
  }

  /** The memory of the instance, in bytes. */
  get memory() {
    return this.#instance?.exports.memory.buffer.byteLength ?? 0;
  }

  #call(request) {
    this.#instance ??= this.#instantiate();
    const { input, call, output, memory } = this.#instance.exports;
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const address = input(bytes.length) >>> 0;
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
    const length = call() >>> 0;
    return this.#text(output(), length);
  }

  #instantiate() {
    this.#panicked = false;
    return new WebAssembly.Instance(this.#module, {
      host: {
        now: () => performance.now(),
        stopped: () => (this.#flag ? Atomics.load(this.#flag, 0) : 0),
        progress: (address, length) => this.#send?.(this.#text(address, length)),
        panicked: (address, length) => {
          this.#panicked = true;
          console.error(this.#text(address, length));
        },
      },
    });
  }

  #text(address, length) {
    return new TextDecoder().decode(new Uint8Array(this.#instance.exports.memory.buffer, address >>> 0, length));
  }

  /** Says why an instance broke. Engines have different names for a full stack. */
  #reason(error) {
    if (this.#panicked) return "fault";
    if (error instanceof RangeError || error.name === "InternalError" || /out of bounds|recursion/.test(error.message)) {
      return "stack";
    }
    // Without a panic, Rust stops a program only if it gets no memory.
    return error instanceof WebAssembly.RuntimeError ? "memory" : "fault";
  }
}

/** Answers the messages of a solver; the first one brings the module. `post` sends a message back. */
export function receiver(post) {
  let host = null;
  return ({ module, flag, id, request }) => {
    if (module) {
      host = new Host(module, flag);
      return;
    }
    try {
      const answer = host.answer(request, (event) => post({ id, event }));
      post({ id, answer, memory: host.memory });
    } catch (error) {
      post({ id, failure: `matesolve failed on this problem: ${error.message}` });
    }
  };
}
