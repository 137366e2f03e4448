// Histograms and iterations: bars of the tables `histogram` and `phases`.
import {bar, make} from "./dom.js";
import {cssColor} from "./paint.js";
import {countOf, formatBytes, formatCount, formatPercent, formatTime} from "./units.js";

const HISTOGRAMS = [["histogram", "durations", ["level", "operation"], formatTime], ["histogram --by size", "sizes of messages", ["level", "operation"], formatBytes],
                    ["histogram --by rank", "useful times between two MPI calls", ["processor"], formatTime]];
const MAX_BARS_HEIGHT = 120;

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

/** Iterations by phase: Map of its number to [{iteration, start, time, useful, mpi, slowest}], times in nanoseconds. */
export function groupIterations(table) {
  const at = columnsOf(table), phases = new Map();
  for (const row of table.rows) {
    const one = Object.fromEntries(["iteration", "start", "time", "useful", "mpi", "slowest"].map((name) => [name, Number(row[at[name]])]));
    phases.set(row[at.phase], [...(phases.get(row[at.phase]) || []), one]);
  }
  return phases;
}

/** A bar for each iteration: useful computation below, MPI in the middle, the rest above. */
class Iterations {
  /** @param begin  of the run, nanoseconds; @param show  (begin, duration) shows a span in the timeline */
  constructor(list, begin, show) {
    this.list = list;
    this.at = null;
    this.canvas = make("canvas", {tabindex: "0", role: "application", "aria-label": "A bar for each iteration. The arrow keys go from one to the other, Enter shows it in the timeline."});
    this.status = make("p", {class: "note", role: "status"}, `${countOf(list.length, "iteration")}; the longest takes ${formatTime(Math.max(...list.map(({time}) => time)))}`);
    this.canvas.addEventListener("pointermove", (event) => this.go(this.indexAt(event)));
    this.canvas.addEventListener("click", (event) => this.show(this.indexAt(event)));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.show = (i) => show(list[i].start - begin, list[i].time);
    this.element = make("div", {class: "cells"}, this.canvas, this.status);
    window.addEventListener("resize", () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  indexAt(event) {
    const box = this.canvas.getBoundingClientRect();
    return Math.max(0, Math.min(this.list.length - 1, Math.floor((event.clientX - box.left) / box.width * this.list.length)));
  }

  go(i) {
    if (i === this.at) return;
    this.at = i;
    const {iteration, time, useful, mpi, slowest} = this.list[i];
    this.status.textContent = `iteration ${iteration}: ${formatTime(time)}, useful ${formatTime(useful)}, MPI ${formatTime(mpi)}; the slowest rank is P${slowest}`;
    this.draw();
  }

  key(event) {
    const at = this.at ?? -1, moves = {ArrowLeft: -1, ArrowRight: 1};
    if (event.key === "Enter" && this.at !== null) this.show(this.at);
    else if (!moves[event.key]) return;
    else this.go(Math.max(0, Math.min(this.list.length - 1, at + moves[event.key])));
    event.preventDefault();
  }

  draw() {
    const {canvas, list} = this, width = Math.max(100, canvas.parentElement?.clientWidth || 600), wide = width / list.length;
    canvas.width = width;
    canvas.height = MAX_BARS_HEIGHT;
    const context = canvas.getContext("2d"), scale = MAX_BARS_HEIGHT / Math.max(1, ...list.map(({time}) => time));
    list.forEach(({time, useful, mpi}, i) => {
      let y = MAX_BARS_HEIGHT;
      for (const [value, color] of [[useful, "--accent"], [mpi, "--mpi"], [Math.max(0, time - useful - mpi), "--line"]]) {
        context.fillStyle = cssColor(color);
        context.fillRect(i * wide, y - value * scale, Math.max(0.7, wide - (wide > 4 ? 1 : 0)), value * scale);
        y -= value * scale;
      }
    });
    if (this.at === null) return;
    context.strokeStyle = cssColor("--critical");
    context.lineWidth = 2;
    context.strokeRect(this.at * wide, 1, Math.max(3, wide), MAX_BARS_HEIGHT - 2);
  }
}

export function showIterations(place, tables, begin, show) {
  const table = tables.find((one) => one.name === "phases --by iteration"), phases = table ? groupIterations(table) : new Map();
  if (!phases.size) return place.replaceChildren(make("p", {}, "No iterations are found. Name them: HIERA_REGION in the loop."));
  const select = make("select", {id: "phase", change: () => draw()}, [...phases].map(([number, list]) => make("option", {value: number}, `phase ${number}, ${countOf(list.length, "iteration")}`)));
  const holder = make("div", {});
  const draw = () => {
    const bars = new Iterations(phases.get(select.value), begin, show);
    holder.replaceChildren(bars.element);
    bars.draw();
  };
  place.replaceChildren(make("p", {class: "tools"}, make("label", {}, "of ", select)),
                        make("p", {class: "legend"}, [["--accent", "useful"], ["--mpi", "MPI"], ["--line", "the rest"]].map(([color, text]) => make("span", {}, make("i", {style: `background:var(${color})`}), text))), holder,
                        make("p", {class: "note"}, table.total > table.rows.length ? `The page has ${formatCount(table.rows.length)} of ${formatCount(table.total)} iterations; all: hiera-transform --measure phases --by iteration` : ""));
  draw();
  return undefined;
}
