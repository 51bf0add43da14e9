// A report of `verify --report`, dropped onto the page: items.jsonl, whose certificates are checked
// here, or report.html with its findings.

import { byId, h, show } from "./dom.js";

const { checkRow, NotProvedError, parseLine, RejectedError } = globalThis.Hopcheck;

const SHOWN = 100;
const CHECKED_AT_ONCE = 40;
const LARGEST = 200 * 1024 * 1024;

/** The rows of items.jsonl; lines that are not JSON are reported as rows. */
function fromLines(text) {
  return text.split("\n").filter((line) => line.trim()).map((line, number) => {
    let row = {};
    try {
      row = JSON.parse(line) ?? {};
    } catch {
      // The check below says what is wrong with it.
    }
    const verdict = row.verdict ?? {};
    return {
      line,
      id: String(row.id ?? `line ${number + 1}`),
      premise: word(row.premise),
      claim: word(row.claim),
      domain: ["temporal", "spatial", "logical"].includes(row.domain) ? row.domain : "",
      spatial: row.spatial === "published" ? "published" : "geometric",
      policy: ["local", "global", "published"].includes(row.policy) ? row.policy : "local",
      names: Array.isArray(row.names) ? row.names.map(word) : [],
      phrases: Array.isArray(row.phrases) ? row.phrases.map(writtenPhrases).join("\n") : "",
      steps: Array.isArray(row.steps) ? row.steps.map((step) => word(step?.text)) : null,
      gold: word(row.gold),
      label: word(verdict.label),
      status: word(verdict.status),
      findings: Array.isArray(row.findings) ? row.findings.map(String) : [],
    };
  });
}

/** A phrase file of a certificate as TOML, whose texts are JSON's. */
function writtenPhrases({ domain, phrase }) {
  const text = (value) => JSON.stringify(value).replaceAll("\x7f", "\\u007f");
  const list = (values) => `[${values.map(text).join(", ")}]`;
  const rows = phrase.map((row) => `[[phrase]]\ntext = ${text(row.text)}\nmeans = ${list(row.means)}\nnot = ${list(row.not)}\n`);
  return `domain = ${text(domain)}\n${rows.join("")}`;
}

const word = (value) => (typeof value === "string" ? value : "");

/** The rows of report.html, from the columns that the page embeds; null if it has none. */
function fromPage(text) {
  const block = /<script type="application\/json" id="findings-columns">(.*?)<\/script>/s.exec(text);
  if (!block) return null;
  const columns = Object.fromEntries(JSON.parse(block[1]).map((one) => [one.name, one]));
  const cell = (name, row) => {
    const column = columns[name];
    const value = column?.values[row];
    if (!column?.choices) return String(value ?? "");
    return [value].flat().map((choice) => column.choices[choice]).join(", ");
  };
  const { length } = columns.item.values;
  return Array.from({ length }, (_, row) => {
    const [gold, label] = cell("labels", row).split(" → ");
    return {
      line: null,
      id: cell("item", row),
      premise: cell("text", row),
      claim: cell("claim", row),
      domain: "",
      spatial: "geometric",
      policy: "local",
      gold: gold ?? "",
      label: label ?? "",
      status: cell("status", row),
      findings: cell("finding", row).split(", ").filter((one) => one && one !== "none"),
    };
  });
}

export class ReportView {
  constructor({ readers, open, openChain }) {
    Object.assign(this, { readers, openItem: open, openChain });
    this.place = byId("view-report");
    for (const type of ["dragover", "drop"]) {
      document.addEventListener(type, (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        if (type === "drop") {
          byId("nav-report").click();
          this.#read(event.dataTransfer.files[0]);
        }
      });
    }
  }

  opened() {
    if (this.rows) return;
    const input = h("input", { type: "file", id: "report-file", accept: ".jsonl,.json,.html", onchange: () => this.#read(input.files[0]) });
    show(
      this.place,
      h("section", { class: "card" },
        h("h2", {}, "Browse a report"),
        h("p", {}, h("code", {}, "hopcheck verify FILE --report DIR"), " writes ", h("code", {}, "items.jsonl"),
          ", whose certificates this page checks, and ", h("code", {}, "report.html"), ". The file stays in your browser."),
        h("div", { class: "drop" },
          h("p", {}, h("label", { for: "report-file" }, "Drop a file here, or choose one: ")), input),
        h("p", { class: "error", id: "report-error", role: "alert" })),
    );
  }

  async #read(file) {
    if (!file) return;
    this.rows = null;
    this.opened();
    try {
      if (file.size > LARGEST) throw new Error("the file is larger than 200 MB");
      const text = await file.text();
      const page = /^\s*</.test(text);
      const rows = page ? fromPage(text) : fromLines(text);
      if (!rows?.length) throw new Error(page ? "the page has no findings" : "the file has no lines");
      this.#browse(file.name, rows);
    } catch (error) {
      byId("report-error").textContent = `This file cannot be read: ${error.message}`;
    }
  }

  #browse(name, rows) {
    this.rows = rows;
    this.shown = SHOWN;
    const findings = [...new Set(rows.flatMap((row) => row.findings))].sort();
    const count = (finding) => rows.filter((row) => row.findings.includes(finding)).length;
    const search = h("input", { type: "search", id: "report-search", oninput: () => this.#list() });
    const filter = h("select", { id: "report-filter", onchange: () => this.#list() },
      h("option", { value: "" }, `all items (${rows.length})`),
      findings.map((one) => h("option", { value: one }, `${one} (${count(one)})`)));
    const other = () => {
      this.rows = null;
      this.opened();
    };
    show(
      this.place,
      h("section", { class: "card" },
        h("h2", {}, name),
        h("p", { id: "report-checked", role: "status" }),
        h("div", { class: "filters" },
          h("div", {}, h("label", { for: "report-search" }, "Search"), search),
          h("div", {}, h("label", { for: "report-filter" }, "Finding"), filter)),
        h("div", { class: "scroll", id: "report-rows", tabindex: 0, role: "group", "aria-label": "Items" }),
        h("div", { class: "actions" }, h("button", { type: "button", onclick: other }, "Another file"))),
    );
    Object.assign(this, { search, filter });
    this.#list();
    this.#check();
  }

  #list() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.rows.filter((row) => {
      if (this.filter.value && !row.findings.includes(this.filter.value)) return false;
      const text = `${row.id} ${row.claim} ${row.premise} ${row.label} ${row.status}`.toLowerCase();
      return words.every((one) => text.includes(one));
    });
    const more = () => {
      this.shown += SHOWN;
      this.#list();
    };
    const head = ["Item", "Claim", "Gold", "Label", "Status", "Findings", "Certificate"];
    show(
      byId("report-rows"),
      h("table", { class: "rows" },
        h("thead", {}, h("tr", {}, head.map((one) => h("th", { scope: "col" }, one)))),
        h("tbody", {}, found.slice(0, this.shown).map((row) => h("tr", {},
          h("td", {}, h("button", { type: "button", onclick: () => (row.steps ? this.openChain(row) : this.openItem(row)) }, row.id)),
          h("td", {}, row.claim),
          h("td", {}, row.gold || "–"),
          h("td", {}, row.label || "–"),
          h("td", {}, row.status || "–"),
          h("td", {}, row.findings.join(", ") || "–"),
          h("td", {}, row.line === null ? "–" : row.rejected === undefined ? "…" : (row.rejected?.message ?? (row.steps ? "of the item: checked" : "checked"))))))),
      found.length > this.shown
        ? h("p", {}, `${this.shown} of ${found.length} items. `, h("button", { type: "button", onclick: more }, "More"))
        : h("p", { class: "hint" }, `${found.length} items.`),
    );
  }

  /** Check all certificates, some at a time so that the page stays usable. */
  async #check() {
    const { rows } = this;
    const lines = rows.filter(({ line }) => line !== null);
    if (!lines.length) return;
    let [rejected, unproved] = [0, 0];
    for (let start = 0; start < lines.length; start += CHECKED_AT_ONCE) {
      for (const row of lines.slice(start, start + CHECKED_AT_ONCE)) {
        row.rejected = this.#reason(row.line);
        if (row.rejected instanceof NotProvedError) unproved += 1;
        else if (row.rejected !== null) rejected += 1;
      }
      if (rows !== this.rows) return;
      byId("report-checked").textContent = `${Math.min(start + CHECKED_AT_ONCE, lines.length)} of ${lines.length} certificates checked, ${rejected} rejected${unproved ? `, ${unproved} not proved` : ""}`;
      await new Promise((next) => setTimeout(next));
    }
    this.#list();
  }

  #reason(line) {
    try {
      checkRow(parseLine(line), this.readers);
      return null;
    } catch (error) {
      if (error instanceof RejectedError) return error;
      throw error;
    }
  }
}
