// Tables of all measures: sorted by a click on a column, searched, copied as CSV.
import {bar, copyText, make} from "./dom.js";
import {countOf, exactDecimal, formatBytes, formatCount, formatPercent, formatTime} from "./units.js";

const SHOWN = 200;
export const STEP = "\u001f"; // between the steps of a path
const NUMBERS = new Set([ "integer", "time", "percent", "bytes", "rate", "bar" ]);

/** The cell as a person reads it. */
export function cellText(type, value) {
  if (value === "" && NUMBERS.has(type)) return "unknown";
  switch (type) {
    case "time": return formatTime(value);
    case "percent": return formatPercent(value);
    case "bytes": return formatBytes(value);
    case "rate":
        return Number(value) ? `${formatBytes(value)}/s` : "0";
    case "integer": return formatCount(value);
    default: return value.split(STEP).join(" › ");
  }
}

/** The cell as the CSV of hiera-transform has it. */
export function exactCell(type, value) {
  if (value === "") return "";
  switch (type) {
    case "time": return exactDecimal(value, 9);
    case "percent": return exactDecimal(value, 2);
    case "path": case "callers": return value.split(STEP).join(" > ");
    default: return value;
  }
}

function csvCell(text) {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table as --format csv prints it: without the bars, which repeat a number. */
export function tableAsCsv(table, rows) {
  const kept = [...table.columns.keys()].filter((i) => table.columns[i].type !== "bar");
  const lines = [kept.map((i) => table.columns[i].name)];
  for (const row of rows) lines.push(kept.map((i) => csvCell(exactCell(table.columns[i].type, row[i]))));
  return lines.map((line) => line.join(",")).join("\n") + "\n";
}

const wholeOf = (value) => value === "" ? -(2n ** 63n) : BigInt(value);

/** Rows sorted by a column; texts by code units, numbers as numbers, those that are not known below all. */
export function sortRows(rows, type, column, falls) {
  const sign = falls ? -1 : 1;
  const compare = NUMBERS.has(type) ? (a, b) => { const x = wholeOf(a[column]), y = wholeOf(b[column]); return x < y ? -1 : x > y ? 1 : 0; }
                                    : (a, b) => (a[column] < b[column] ? -1 : a[column] > b[column] ? 1 : 0);
  return [...rows].sort((a, b) => sign * compare(a, b));
}

function filterRows(table, rows, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (!wanted.length) return rows;
  return rows.filter((row) => {
    const text = row.map((value, i) => cellText(table.columns[i].type, value)).join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

class TableView {
  constructor(table) {
    this.table = table;
    this.sorted = null;
    this.falls = false;
    this.words = "";
    this.element = make("div", {class: "measure"});
    this.draw();
  }

  rows() {
    const {rows, columns} = this.table;
    const found = filterRows(this.table, rows, this.words);
    return this.sorted === null ? found : sortRows(found, columns[this.sorted].type, this.sorted, this.falls);
  }

  sortBy(column) {
    this.falls = this.sorted === column ? !this.falls : NUMBERS.has(this.table.columns[column].type);
    this.sorted = column;
    this.draw();
    this.element.querySelectorAll("th button")[column].focus();
  }

  head() {
    return this.table.columns.map((column, i) => {
      const order = this.sorted === i ? (this.falls ? "descending" : "ascending") : null;
      return make("th", {scope: "col", "aria-sort": order, class: NUMBERS.has(column.type) ? "number" : null},
                  make("button", {type: "button", click: () => this.sortBy(i)}, column.name.replaceAll("_", " ")));
    });
  }

  row(values) {
    return make("tr", {}, values.map((value, i) => {
      const {type} = this.table.columns[i];
      if (type === "bar") return make("td", {}, bar(Number(value) / 10000));
      return make("td", {class: NUMBERS.has(type) ? "number" : "text", title: exactCell(type, value)}, cellText(type, value));
    }));
  }

  note(n) {
    const {total, rows} = this.table;
    const parts = [];
    if (n > SHOWN) parts.push(`the first ${SHOWN} of ${formatCount(n)} rows are shown`);
    if (total > rows.length) parts.push(`the page has ${formatCount(rows.length)} of ${formatCount(total)} rows; all: hiera-transform --measure ${this.table.name}`);
    return parts.join("; ");
  }

  draw() {
    const rows = this.rows();
    const search = make("input", {type: "search", placeholder: "search", "aria-label": "search in this table",
                                  input: (event) => { this.words = event.target.value; this.drawBody(); }});
    search.value = this.words;
    this.body = make("tbody", {});
    this.message = make("p", {class: "note", role: "status"});
    this.element.replaceChildren(
        make("p", {}, this.table.help), ...this.table.limits.map((text) => make("p", {class: "note"}, text)),
        make("p", {class: "tools"}, search, make("button", {type: "button", click: () => copyText(tableAsCsv(this.table, this.rows()))}, "copy as CSV")),
        make("div", {class: "scroll", tabindex: "0"}, make("table", {}, make("thead", {}, make("tr", {}, this.head())), this.body)), this.message);
    this.drawBody(rows);
  }

  drawBody(rows = this.rows()) {
    this.body.replaceChildren(...rows.slice(0, SHOWN).map((row) => this.row(row)));
    this.message.textContent = this.note(rows.length);
  }
}

/** All tables but the summary, each behind its name. @param below  of a table's name an element to stand below it, or null */
export function showTables(tables, onChange, below) {
  const place = document.getElementById("tables");
  place.replaceChildren();
  for (const table of tables.filter((one) => one.name !== "summary")) {
    const details = make("details", {id: `measure-${table.name.replaceAll(" ", "")}`});
    details.append(make("summary", {}, make("strong", {}, table.name), ` ${countOf(table.total, "row")}`));
    details.addEventListener("toggle", () => {
      if (details.open && details.childElementCount === 1) details.append(new TableView(table).element, below(table.name) || "");
      onChange();
    });
    place.append(details);
  }
}

/** Names of the open tables. */
export function openTables() {
  return [...document.querySelectorAll("#tables details[open]")].map((one) => one.id.replace("measure-", ""));
}

/** Open a table, and go to it. */
export function openTable(name) {
  const details = document.getElementById(`measure-${name.replaceAll(" ", "")}`);
  if (!details) return;
  details.open = true;
  details.scrollIntoView();
  details.querySelector("summary").focus({preventScroll: true});
}
