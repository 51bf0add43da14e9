// Builds the page: node site/build.mjs FOLDER. The folder has tables.json and modules.zip, and gets core.js
// (reader, engine and checker, as the page runs them), clingo.wasm, playground.html, the same without Python
// as packaged.html for the wheel, and embed.html for frames.

import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2];
mkdirSync(folder, { recursive: true });

const resolve = createRequire(import.meta.url).resolve;
const clingo = join(dirname(resolve("clingo-wasm/package.json")), "dist");
const pyodide = dirname(resolve("pyodide/package.json"));

/** One script of a module and all that it imports. */
async function bundle(entry, settings) {
  const made = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    alias: { "clingo-wasm/clingo.js": join(clingo, "clingo.js") },
    // clingo's own script then looks for no files, in node as in a browser.
    define: { "globalThis.process": "undefined", "import.meta.url": '""' },
    // The runtime of the compiled checker asks for files in node alone.
    external: ["node:*", "fs", "constants"],
    logLevel: "warning",
    ...settings,
  });
  return made.outputFiles[0].text;
}

const core = await bundle("core.js", { globalName: "Hopcheck" });
const app = await bundle("app.js", {});
// By loading a script Pyodide finds out in what it runs; the page allows none, with a message.
const chains = await bundle("chains.js", { banner: { js: "self.importScripts = () => { throw new TypeError(); };" } });
const style = readFileSync(join(here, "style.css"), "utf8");
const tables = readFileSync(join(folder, "tables.json"), "utf8");
const wasm = readFileSync(join(clingo, "clingo.wasm"));

writeFileSync(join(folder, "core.js"), core);
copyFileSync(join(clingo, "clingo.wasm"), join(folder, "clingo.wasm"));

const hash = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
const inScript = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const scripts = [core, app].map(inScript);
const policy = [
  "default-src 'none'",
  `script-src 'wasm-unsafe-eval' ${scripts.map(hash).join(" ")}`,
  `style-src ${hash(style)}`,
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");
// After all else, so that the page does not wait for it.
const python = Object.entries({
  wasm: readFileSync(join(pyodide, "pyodide.asm.wasm")),
  library: readFileSync(join(pyodide, "python_stdlib.zip")),
  modules: readFileSync(join(folder, "modules.zip")),
  worker: Buffer.from(chains),
}).map(([name, bytes]) => `<script type="text/plain" id="python-${name}">${packed(bytes)}</script>`);

const parts = {
  policy,
  style,
  core: scripts[0],
  app: scripts[1],
  tables: tables.trim().replaceAll("<", "\\u003c"),
  wasm: packed(wasm),
};
const page = readFileSync(join(here, "index.html"), "utf8");
for (const [name, own] of [
  ["playground", { view: "full", python: python.join("\n") }],
  ["packaged", { view: "full", python: "" }],
  ["embed", { view: "embedded", python: "" }],
]) {
  const filled = page.replace(/\{\{(\w+)\}\}/g, (_, part) => ({ ...parts, ...own })[part]);
  writeFileSync(join(folder, `${name}.html`), filled);
}
