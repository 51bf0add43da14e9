// What runs in the worker of chains: Python as WebAssembly with the package's own modules, clingo for
// its programs, and the checker that is compiled from the Coq proofs.

import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { info } from "pyodide/pyodide-lock.json";
import { loadPyodide } from "pyodide/pyodide.mjs";
import { answer } from "../../solver/eventhop/certificates/proved.js";
import { Engine } from "./engine.js";

const HOME = "/hopcheck";
const FILES = "https://pyodide.invalid/";

let explained;

/**
 * @param clingo as a compiled `WebAssembly.Module`
 * @param files bytes of Python itself, its library, and the archive of modules
 */
async function start(clingo, { wasm, library, modules }) {
  const engine = await Engine.start(clingo, {});
  self.solve = (program, options) => JSON.stringify(engine.solve(program, options));
  // Pyodide asks for its files by their addresses; nothing else is ever given.
  const files = { "pyodide.asm.wasm": [wasm, "application/wasm"], "python_stdlib.zip": [library, "application/zip"] };
  self.fetch = async (address) => {
    const [bytes, type] = files[String(address).slice(FILES.length)];
    return new Response(bytes, { headers: { "Content-Type": type } });
  };
  const python = await loadPyodide({
    createPyodideModule,
    indexURL: FILES,
    lockFileContents: { info, packages: {} },
    packageBaseUrl: FILES,
  });
  python.FS.mkdirTree(HOME);
  python.FS.chdir(HOME);
  python.unpackArchive(modules, "zip", { extractDir: HOME });
  python.runPython(`import sys; sys.path.insert(0, "${HOME}")`);
  explained = python.pyimport("chains").explained;
  return null;
}

/** What the page shows of a chain, and whether the compiled checker accepts its line. */
function explain(row) {
  const found = JSON.parse(explained(row));
  return found.error === undefined ? { ...found, proved: answer(found.numbers) === "accepted" } : found;
}

const METHODS = { start, explain };

self.onmessage = async ({ data: { id, method, values } }) => {
  try {
    self.postMessage({ id, result: await METHODS[method](...values) });
  } catch (error) {
    self.postMessage({ id, error: String(error.message ?? error) });
  }
};
