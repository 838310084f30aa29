// The solver as the outside world sees it: a queue of jobs for one worker. The same code runs in browsers and in Node;
// `browser.js` and `node.js` say how a worker is started in each.
//
// A search is stopped through a shared number, and then returns what it has proved. Where browsers share no memory (pages
// that are not isolated from other origins), or if the search does not look at the number in time, its worker is ended.
// The compiled module stays, and the next job starts a new worker with it.

/** The time that a stopped search has to return what it has proved, in milliseconds. */
const GRACE = 1000;

/**
 * The error of a job that was cancelled, or whose time was over (`AbortSignal.timeout`), as for `fetch`. It has the result
 * of the search, as far as it was proved, and the last event of each kind.
 */
function aborted(job, result = null) {
  const isLate = job.signal?.aborted && job.signal.reason?.name === "TimeoutError";
  const [text, name] = isLate ? ["the time of the search is over", "TimeoutError"] : ["the search was cancelled", "AbortError"];
  return Object.assign(new DOMException(text, name), { result, events: [...job.events.values()] });
}

/**
 * Returns the value of an option as JSON has it. A value that JSON would lose, or change into "not given", is refused:
 * else another question would be answered, or none.
 */
function plain(name, value) {
  if (value === undefined || value === null) return null;
  if (["boolean", "string"].includes(typeof value) || Number.isFinite(value)) return value;
  if (Array.isArray(value) && !value.some(Array.isArray)) return value.map((one) => plain(name, one));
  throw new TypeError(`the option ${name} is a text, a number, a switch or a list of them, not ${kindOf(value)}`);
}

/** Names the kind of a value that no option can have. */
function kindOf(value) {
  if (typeof value === "number") return `${value}`;
  return Array.isArray(value) ? "a list of lists" : typeof value === "bigint" ? `the bigint ${value}n` : `a value of type ${typeof value}`;
}

/** Divides the options of a call into those of the request and those of the job. */
function read(options) {
  if (typeof options !== "object" || options === null) throw new TypeError("the options of a call are an object");
  const { onProgress, signal, ...rest } = options;
  if (onProgress && typeof onProgress !== "function") throw new TypeError("the option onProgress is a function");
  const entries = Object.entries(rest).map(([name, value]) => [name, plain(name, value)]);
  return { onProgress, signal, options: Object.fromEntries(entries) };
}

export class Solver {
  #start;
  #worker = null;
  #jobs = [];
  #number = 0;
  #closed = false;

  /** `start` returns a new worker: `post(message)`, `stop()`, `hold(isBusy)`, and the events it is given. */
  constructor(start) {
    this.#start = start;
  }

  /** Solves a position and returns the result object. */
  solve(position, options = {}) {
    return this.#call("solve", position, options);
  }

  /** Answers the question for each first move and returns the result object with all `moves`. */
  moves(position, options = {}) {
    return this.#call("moves", position, options);
  }

  /** Makes the composer's report and returns the report object. */
  report(position, options = {}) {
    if (options?.formats) return Promise.reject(new TypeError("report has no option formats; use write"));
    return this.#call("report", position, options);
  }

  /** Makes the composer's report and returns an object with one text for each of `options.formats`. */
  write(position, options) {
    const formats = options?.formats ?? [];
    if (formats.length === 0) return Promise.reject(new TypeError("write needs formats, for example [\"html\"]"));
    return this.#call("report", position, options);
  }

  /** Looks for sound versions of an unsound problem and returns the answer of the workbench; null if it is sound. */
  mend(position, options = {}) {
    return this.#call("mend", position, options);
  }

  /** Reads the problems of a pasted text or of a file. */
  read(text) {
    return this.#call("read", text, {});
  }

  /** Draws a position as an SVG picture. */
  diagram(position, options = {}) {
    return this.#call("diagram", position, options);
  }

  /** Returns the version of matesolve. */
  version() {
    return this.#call("version", "", {});
  }

  /** Ends the running job and the waiting ones. Their promises are rejected with an `AbortError`. */
  cancel() {
    const [running, ...waiting] = this.#jobs;
    for (const job of waiting) job.isCancelled = true;
    if (running) this.#abort(running);
  }

  /** Ends all jobs and the worker. The solver cannot be used any more. */
  close() {
    this.#closed = true;
    this.#end(aborted);
  }

  /** Puts a job into the queue. */
  async #call(op, text, given) {
    const { onProgress, signal, options } = read(given);
    if (typeof text !== "string") return Promise.reject(new TypeError(`${op} needs a text with a position`));
    if (this.#closed) return Promise.reject(new Error("this solver is closed; make a new one with createSolver()"));
    if (signal?.aborted) return Promise.reject(aborted({ events: new Map(), signal }));
    return new Promise((resolve, reject) => {
      const job = { id: ++this.#number, request: { op, text, options }, events: new Map(), signal, onProgress, resolve, reject };
      job.abort = () => this.#abort(job);
      job.done = () => {
        clearTimeout(job.grace);
        signal?.removeEventListener("abort", job.abort);
      };
      signal?.addEventListener("abort", job.abort);
      this.#jobs.push(job);
      if (this.#jobs.length === 1) this.#next();
    });
  }

  /** Sends the first job of the queue to the worker. One that cannot be sent is rejected alone. */
  #next() {
    while (this.#jobs.length > 0) {
      const job = this.#jobs[0];
      if (job.isCancelled) {
        this.#reject(job);
        continue;
      }
      try {
        return this.#send(job);
      } catch (error) {
        this.#jobs.shift();
        job.done();
        job.reject(error);
      }
    }
    this.#worker?.hold(false);
  }

  #send(job) {
    this.#worker ??= this.#start((message) => this.#receive(message), (error) => this.#end(() => error));
    this.#worker.hold(true);
    if (this.#worker.flag) Atomics.store(this.#worker.flag, 0, 0);
    this.#worker.post({ id: job.id, request: job.request });
  }

  #receive({ id, event, answer, failure }) {
    const job = this.#jobs[0];
    if (job?.id !== id) return;
    if (event) {
      const news = JSON.parse(event);
      job.events.set(news.kind, news);
      return job.onProgress?.(news);
    }
    this.#jobs.shift();
    job.done();
    const { value, refused } = answer ? JSON.parse(answer) : {};
    if (job.grace) job.reject(aborted(job, value));
    else if (failure) job.reject(new Error(failure));
    else if (refused) job.reject(new TypeError(refused));
    else job.resolve(value);
    this.#next();
  }

  /** Cancels one job: a waiting one by taking it out of the queue, the running one by its flag or with its worker. */
  #abort(job) {
    const isRunning = this.#jobs[0] === job;
    const flag = isRunning && this.#worker?.flag;
    if (flag && !job.grace) {
      Atomics.store(flag, 0, 1);
      job.grace = setTimeout(() => this.#drop(job), GRACE);
    } else if (!flag) {
      this.#drop(job);
    }
  }

  /** Rejects a job, and ends its worker if it is running. */
  #drop(job) {
    if (this.#jobs[0] === job) this.#stop();
    this.#reject(job);
    if (!this.#worker) this.#next();
  }

  #reject(job) {
    this.#jobs = this.#jobs.filter((other) => other !== job);
    job.done();
    job.reject(aborted(job));
  }

  #end(error) {
    this.#stop();
    const jobs = this.#jobs;
    this.#jobs = [];
    for (const job of jobs) {
      job.done();
      job.reject(error(job));
    }
  }

  #stop() {
    this.#worker?.stop();
    this.#worker = null;
  }
}
