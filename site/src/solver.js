// Engines in workers, so that the page never waits for them, with a limit on time.

import { byId } from "./dom.js";

const LIMIT = 10_000;

/** The script of the worker, after the core; it refers to nothing else of this file. */
function serve() {
  let engine;
  self.onmessage = async ({ data: { id, method, values } }) => {
    try {
      let result = null;
      if (method === "start") engine = await self.Hopcheck.Engine.start(...values);
      else result = engine[method](...values);
      self.postMessage({ id, result });
    } catch (error) {
      self.postMessage({ id, error: String(error.message ?? error) });
    }
  };
}

/** The bytes that an element of the page contains, compressed and in base64. */
export async function unpack(id) {
  const bytes = Uint8Array.from(atob(byId(id).textContent), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).arrayBuffer();
}

/** The script of a worker that runs clingo. */
export const solving = (core) => `${core}\nself.Hopcheck = Hopcheck;\n(${serve})();`;

export class Solver {
  /**
   * @param name of the engine, in messages
   * @param script that the worker runs
   * @param values a promise of what it starts with
   */
  constructor(name, script, values) {
    this.name = name;
    this.url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.arguments = values;
    this.#start();
  }

  #start() {
    this.waiting = new Map();
    this.last = 0;
    this.worker = new Worker(this.url);
    this.worker.onmessage = ({ data: { id, result, error } }) => {
      const request = this.waiting.get(id);
      this.waiting.delete(id);
      if (error === undefined) request?.resolve(result);
      else request?.reject(new Error(error));
    };
    this.ready = this.arguments.then((values) => this.#post("start", values));
    this.ready.catch(() => {});
  }

  #post(method, values) {
    return new Promise((resolve, reject) => {
      this.last += 1;
      this.waiting.set(this.last, { resolve, reject });
      this.worker.postMessage({ id: this.last, method, values });
    });
  }

  /** Call a method of the engine; after ten seconds the worker is replaced. */
  async ask(method, ...values) {
    await this.ready;
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => {
        this.worker.terminate();
        for (const request of this.waiting.values()) request.reject(new Error("stopped"));
        this.#start();
        reject(new Error(`${this.name} was stopped after ten seconds`));
      }, LIMIT);
    });
    try {
      return await Promise.race([this.#post(method, values), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
