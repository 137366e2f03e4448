// Two pictures made of cells: what each rank does over the run, and who sends how much to whom. Each cell says its numbers.
import {packColor, shade} from "./colors.js";
import {make} from "./dom.js";
import {cssColor} from "./paint.js";
import {formatBytes, formatCount, formatTime} from "./units.js";

const MAX_CELLS_HEIGHT = 360;
const MIN_CELL = 3; // pixels
const N_CELL_SHADES = 64;

/** A canvas of cells, with a cursor that the pointer and the arrow keys move. */
class Cells {
  /** @param size    {columns, rows}
   *  @param share   (column, row) → from 0 to 1, or −1 for a cell in which there is nothing
   *  @param choose  called with (column, row) on a click and on Enter
   *  @param say     (column, row) → what the cell says */
  constructor(label, size, share, say, choose) {
    this.size = size;
    this.share = share;
    this.say = say;
    this.at = null;
    this.canvas = make("canvas", {tabindex: "0", role: "application", "aria-label": `${label}. The arrow keys go from cell to cell, Enter shows it.`});
    this.status = make("p", {class: "note", role: "status"}, label);
    this.canvas.addEventListener("pointermove", (event) => this.go(...this.cellOf(event)));
    this.canvas.addEventListener("click", (event) => choose(...this.cellOf(event)));
    this.canvas.addEventListener("keydown", (event) => this.key(event, choose));
    this.element = make("div", {class: "cells"}, this.canvas, this.status);
    window.addEventListener("resize", () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  cellOf(event) {
    const box = this.canvas.getBoundingClientRect(), {columns, rows} = this.size;
    const clamp = (value, n) => Math.max(0, Math.min(n - 1, Math.floor(value * n)));
    return [clamp((event.clientX - box.left) / box.width, columns), clamp((event.clientY - box.top) / box.height, rows)];
  }

  go(column, row) {
    if (this.at && this.at[0] === column && this.at[1] === row) return;
    this.at = [column, row];
    this.status.textContent = this.say(column, row);
    this.draw();
  }

  key(event, choose) {
    const [column, row] = this.at || [0, 0], {columns, rows} = this.size;
    const moves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    if (event.key === "Enter") choose(column, row);
    else if (!moves[event.key]) return;
    else this.go(Math.max(0, Math.min(columns - 1, column + moves[event.key][0])), Math.max(0, Math.min(rows - 1, row + moves[event.key][1])));
    event.preventDefault();
  }

  /** One pixel for each cell, made larger without smoothing. */
  picture() {
    const {columns, rows} = this.size, dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const shades = Uint32Array.from({length: N_CELL_SHADES}, (_, i) => packColor(shade(i / (N_CELL_SHADES - 1), dark))), none = packColor(cssColor("--paper"));
    const pixels = new Uint32Array(columns * rows);
    for (let row = 0, i = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++, i++) {
        const share = this.share(column, row);
        pixels[i] = share < 0 ? none : shades[Math.min(N_CELL_SHADES - 1, Math.round(share * (N_CELL_SHADES - 1)))];
      }
    }
    const canvas = document.createElement("canvas");
    canvas.width = columns;
    canvas.height = rows;
    canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), columns, rows), 0, 0);
    return canvas;
  }

  /** @param isNew  the shares have changed */
  draw(isNew = false) {
    if (!this.size.columns || !this.size.rows) return;
    if (isNew || !this.made || this.scheme !== cssColor("--paper")) this.made = this.picture();
    this.scheme = cssColor("--paper");
    const width = Math.max(100, this.canvas.parentElement?.clientWidth || 600), {columns, rows} = this.size;
    const height = this.square ? Math.min(width, MAX_CELLS_HEIGHT, Math.max(rows * 24, 60)) : Math.max(MIN_CELL, Math.min(24, Math.floor(MAX_CELLS_HEIGHT / rows))) * rows;
    this.canvas.width = this.square ? height * columns / rows : width;
    this.canvas.height = height;
    this.canvas.style.width = this.canvas.width + "px";
    const context = this.canvas.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.drawImage(this.made, 0, 0, this.canvas.width, height);
    if (!this.at) return;
    context.strokeStyle = cssColor("--critical");
    context.lineWidth = 2;
    const wide = this.canvas.width / columns, high = height / rows;
    context.strokeRect(this.at[0] * wide, this.at[1] * high, wide, high);
  }
}

const DOINGS = ["useful", "MPI", "files", "waiting"];

/** What each rank does over the run. @param heat  of decodeHeat; @param show  shows a span of time in the timeline */
export function showHeat(place, ranks, heat, show) {
  const n = heat.edges.length - 1;
  if (n < 1) return place.replaceChildren(make("p", {}, "The run has no length."));
  const width = (bin) => heat.edges[bin + 1] - heat.edges[bin];
  const select = make("select", {}, DOINGS.map((name, i) => make("option", {value: i}, name)));
  const efficiency = (bin) => ranks.reduce((sum, _, i) => sum + heat.sums[i][0][bin], 0) / width(bin) / ranks.length;
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  const times = (bin) => `${formatTime(heat.edges[bin])} to ${formatTime(heat.edges[bin + 1])}`;
  const cells = new Cells("What each rank does over the run: a row for each rank, the time from left to right", {columns: n, rows: ranks.length},
                          (bin, i) => heat.sums[i][select.value][bin] / width(bin),
                          (bin, i) => `P${ranks[i]}, ${times(bin)}: ` + DOINGS.map((name, k) => `${name} ${formatTime(heat.sums[i][k][bin])}`).join(", ") +
                                      `; parallel efficiency of all ranks ${percent(efficiency(bin))}`,
                          (bin) => show(heat.edges[bin], width(bin)));
  const bars = make("div", {class: "columns", role: "img", "aria-label": "Parallel efficiency over the run; the cells above have the numbers"},
                    Array.from({length: n}, (_, bin) => make("i", {style: `height:${(100 * Math.min(1, efficiency(bin))).toFixed(1)}%`, title: `${times(bin)}: ${percent(efficiency(bin))}`})));
  select.addEventListener("change", () => cells.draw(true));
  place.replaceChildren(make("p", {class: "tools"}, make("label", {}, "share of ", select)), cells.element, make("p", {class: "note"}, "parallel efficiency, 0 to 100 %"), bars);
  cells.draw(true);
  return cells;
}

const FLOWS = [["messages", "messages", formatCount], ["bytes", "bytes", formatBytes], ["time", "time in sends and receives", formatTime]];

/** By sender and receiver, kinds together: Map of "sender receiver" to {messages, bytes, time}, as BigInt. */
export function sumFlows(flows) {
  const sums = new Map();
  for (const {sender, receiver, messages, bytes, send, receive} of flows) {
    const key = `${sender} ${receiver}`, sum = sums.get(key) || {messages: 0n, bytes: 0n, time: 0n};
    sums.set(key, {messages: sum.messages + BigInt(messages), bytes: sum.bytes + BigInt(bytes), time: sum.time + BigInt(send) + BigInt(receive)});
  }
  return sums;
}

/** Who sends how much to whom. */
export function showMatrix(place, flows) {
  if (!flows.length) return place.replaceChildren(make("p", {}, "No messages between ranks."));
  const sums = sumFlows(flows), ranks = [...new Set(flows.flatMap((flow) => [flow.sender, flow.receiver]))].sort((a, b) => a - b);
  const select = make("select", {}, FLOWS.map(([name, text]) => make("option", {value: name}, text)));
  const of = (column, row) => sums.get(`${ranks[row]} ${ranks[column]}`);
  const most = () => [...sums.values()].reduce((a, sum) => (sum[select.value] > a ? sum[select.value] : a), 1n);
  let greatest = most();
  const cells = new Cells("Who sends to whom: a row for each sender, a column for each receiver", {columns: ranks.length, rows: ranks.length},
                          (column, row) => { const sum = of(column, row); return sum ? 0.08 + 0.92 * Math.log(1 + Number(sum[select.value])) / Math.log(1 + Number(greatest)) : -1; },
                          (column, row) => { const sum = of(column, row); return `P${ranks[row]} to P${ranks[column]}: ` + (sum ? FLOWS.map(([name, text, format]) => `${format(sum[name])} ${text}`.replace(/(B|bytes) bytes/, "$1")).join(", ") : "nothing"); },
                          () => {});
  cells.square = true;
  select.addEventListener("change", () => { greatest = most(); cells.draw(true); });
  place.replaceChildren(make("p", {class: "tools"}, make("label", {}, "shaded by ", select)), cells.element);
  cells.draw(true);
  return cells;
}
