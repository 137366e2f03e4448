// The rules of --assert and the assertions in the source: what became of each, with a link to the first execution that failed.
import {make} from "./dom.js";
import {formatCount, formatTime} from "./units.js";

const HEADS = [["rule"], ["verdict"], ["ok", "number"], ["violated", "number"], ["unknown", "number"], ["first violated"]];

/** "rank 3 at 1.25 s"; "" if nothing failed, or not at one place. */
function firstPlace(of) {
  const [whole, part = ""] = of("first-start").split(".");
  const at = whole ? ` at ${formatTime(BigInt(whole + part.padEnd(9, "0")))}` : "";
  return of("first-rank") ? `rank ${of("first-rank")}${at}` : "";
}

/** The table `assertions`, if there is one. @param link  of (text, row) a link into the timeline */
export function showRules(table, link) {
  const part = document.getElementById("rules-part");
  if (!table) {
    document.querySelector("nav a[href='#rules-part']").remove();
    return part.remove();
  }
  const operations = new Map(table.operations), column = Object.fromEntries(table.columns.map(({name}, i) => [name, i]));
  const rows = table.rows.map((row, i) => {
    const of = (name) => row[column[name]], first = firstPlace(of), numbers = ["ok", "failed", "unknown"].map(of);
    return make("tr", {class: of("verdict") === "ok" ? null : "broken"},
                make("td", {class: "text"}, make("code", {}, of("assertion")), make("div", {class: "note"}, of("rule")),
                     of("why") ? make("div", {class: "note"}, of("why")) : null),
                make("td", {}, of("verdict")), numbers.map((n) => make("td", {class: "number"}, formatCount(n))),
                make("td", {}, operations.has(i) ? link(first, operations.get(i)) : first));
  });
  document.getElementById("rules").replaceChildren(make("div", {class: "scroll", tabindex: "0"}, make("table", {},
      make("thead", {}, make("tr", {}, HEADS.map(([name, kind]) => make("th", {scope: "col", class: kind}, name)))), make("tbody", {}, rows))));
}
