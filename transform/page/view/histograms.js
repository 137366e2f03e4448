// Histograms: bars of the tables `histogram`.
import {bar, make} from "./dom.js";
import {formatBytes, formatCount, formatPercent, formatTime} from "./units.js";

const HISTOGRAMS = [["histogram", "durations", ["level", "operation"], formatTime], ["histogram --by size", "sizes of messages", ["level", "operation"], formatBytes],
                    ["histogram --by rank", "useful times between two MPI calls", ["processor"], formatTime]];

function columnsOf(table) {
  return Object.fromEntries(table.columns.map((column, i) => [column.name, i]));
}

/** Rows of a table by group: Map of the group's name to its bins, with the most calls first. */
export function groupBins(table, keys) {
  const at = columnsOf(table), groups = new Map();
  for (const row of table.rows) {
    const name = keys.map((key) => (key === "processor" ? `P${row[at[key]]}` : row[at[key]])).join(": ");
    const bin = {from: BigInt(row[at.from]), to: BigInt(row[at.to]), count: BigInt(row[at.count]), share: Number(row[at.share])};
    groups.set(name, [...(groups.get(name) || []), bin]);
  }
  const size = (bins) => bins.reduce((sum, {count}) => sum + count, 0n);
  return keys[0] === "processor" ? groups : new Map([...groups].sort(([, a], [, b]) => (size(b) > size(a) ? 1 : size(b) < size(a) ? -1 : 0)));
}

function drawBins(place, bins, format) {
  const most = bins.reduce((a, {count}) => (count > a ? count : a), 1n);
  place.replaceChildren(make("ul", {class: "bins"}, bins.map(({from, to, count, share}) => make("li", {},
      make("span", {class: "number"}, `${format(from)} – ${format(to)}`), bar(Number(count * 10000n / most) / 10000),
      make("span", {class: "number"}, `${formatCount(count)} (${formatPercent(share)})`)))));
}

export function showHistograms(place, tables) {
  const found = HISTOGRAMS.map(([name, text, keys, format]) => ({text, keys, format, table: tables.find((one) => one.name === name)})).filter(({table}) => table && table.rows.length);
  if (!found.length) return place.replaceChildren(make("p", {}, "No operations."));
  const what = make("select", {id: "histogram-of", change: () => setWhat()}, found.map(({text}, i) => make("option", {value: i}, text)));
  const of = make("select", {id: "histogram-group", change: () => draw()}), bins = make("div", {}), note = make("p", {class: "note"});
  let groups = new Map();
  const draw = () => drawBins(bins, groups.get(of.value), found[what.value].format);
  const setWhat = () => {
    const {table, keys} = found[what.value];
    groups = groupBins(table, keys);
    of.replaceChildren(...[...groups.keys()].map((name) => make("option", {value: name}, name)));
    note.textContent = table.total > table.rows.length ? `The page has ${formatCount(table.rows.length)} of ${formatCount(table.total)} bins; all: hiera-transform --measure ${table.name}` : "";
    draw();
  };
  place.replaceChildren(make("p", {class: "tools"}, make("label", {}, "of ", what), of), bins, note);
  setWhat();
  return undefined;
}
