// Iterations: a bar for each one of a phase.
import {whenColorsChange} from "./colors.js";
import {make} from "./dom.js";
import {cssColor} from "./paint.js";
import {countOf, formatCount, formatTime} from "./units.js";

const BARS_HEIGHT = 120;
const WIDEST = 60; // pixels of a bar
const PARTS = [["--accent", "useful"], ["--mpi", "MPI"], ["--idle", "idle in OpenMP"], ["--line", "the rest"]];
const IDLE = 2; // of PARTS

/** For each of n columns the longest of the iterations that share it: [index]. */
export function longestOfColumns(list, n) {
  const longest = new Array(n).fill(-1);
  list.forEach(({time}, i) => {
    const column = Math.floor(i * n / list.length);
    if (longest[column] < 0 || time > list[longest[column]].time) longest[column] = i;
  });
  return longest;
}

/** A bar for each iteration: useful computation below, then MPI, then what threads of OpenMP idle, the rest above. Where there are more of them than pixels, the longest ones are seen. */
class Iterations {
  /** @param phase  of decodeIterations; @param show  (begin, duration) shows a span in the timeline, times as they are in the trace */
  constructor({list, total}, show) {
    this.list = list;
    this.show = (i) => show(list[i].start, list[i].time);
    this.at = null;
    this.most = list.reduce((most, {time}) => Math.max(most, time), 1);
    const among = list.length < total ? `the first ${formatCount(list.length)} of ${countOf(total, "iteration")}` : countOf(total, "iteration");
    this.canvas = make("canvas", {tabindex: "0", role: "application", "aria-label": "A bar for each iteration. The arrow keys go from one to the other, Enter shows it in the timeline."});
    this.status = make("p", {class: "note", role: "status"}, `${among}; the longest${list.length < total ? " of these" : ""} takes ${formatTime(this.most)}`);
    this.canvas.addEventListener("pointermove", (event) => { const i = this.indexAt(event); if (i !== null) this.go(i); });
    this.canvas.addEventListener("click", (event) => { const i = this.indexAt(event); if (i !== null) this.show(i); });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.element = make("div", {class: "cells"}, this.canvas, this.status);
    window.addEventListener("resize", () => this.draw());
    whenColorsChange(() => this.draw());
  }

  /** The iteration whose bar is under the pointer, or null. */
  indexAt(event) {
    return this.longest[Math.max(0, Math.floor((event.clientX - this.canvas.getBoundingClientRect().left) / this.wide))] ?? null;
  }

  go(i) {
    if (i === this.at) return;
    this.at = i;
    const {iteration, time, useful, mpi, idle, slowest} = this.list[i];
    this.status.textContent = `iteration ${iteration}: ${formatTime(time)}, useful ${formatTime(useful)}, MPI ${formatTime(mpi)}${idle ? `, idle in OpenMP ${formatTime(idle)}` : ""}; the slowest rank is P${slowest}`;
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
    const {canvas, list} = this, width = Math.max(100, canvas.parentElement?.clientWidth || 600), ratio = window.devicePixelRatio || 1;
    this.longest = longestOfColumns(list, Math.min(list.length, Math.floor(width)));
    this.wide = Math.min(WIDEST, width / this.longest.length);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(BARS_HEIGHT * ratio);
    canvas.style.height = BARS_HEIGHT + "px";
    const context = canvas.getContext("2d"), colors = PARTS.map(([color]) => cssColor(color)), scale = BARS_HEIGHT / this.most;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.longest.forEach((i, column) => {
      const {time, useful, mpi, idle} = list[i];
      let y = BARS_HEIGHT;
      [useful, mpi, idle, Math.max(0, time - useful - mpi - idle)].forEach((value, part) => {
        context.fillStyle = colors[part];
        context.fillRect(column * this.wide, y - value * scale, Math.max(0.7, this.wide - (this.wide > 4 ? 1 : 0)), value * scale);
        y -= value * scale;
      });
    });
    if (this.at === null) return;
    context.strokeStyle = cssColor("--critical");
    context.lineWidth = 2;
    context.strokeRect(Math.floor(this.at * this.longest.length / list.length) * this.wide, 1, Math.max(3, this.wide), BARS_HEIGHT - 2);
  }
}

/** @param phases  of decodeIterations */
export function showIterations(place, phases, show) {
  if (!phases.length) return place.replaceChildren(make("p", {}, "No iterations are found. Name them: HIERA_REGION in the loop."));
  const select = make("select", {id: "phase", change: () => draw()}, phases.map(({number, total}, i) => make("option", {value: i}, `phase ${number}, ${countOf(total, "iteration")}`)));
  const holder = make("div", {}), idles = phases.some(({list}) => list.some(({idle}) => idle > 0));
  const draw = () => {
    const {list, total} = phases[select.value];
    if (!list.length) return holder.replaceChildren(make("p", {class: "note"}, `The page has none of these ${countOf(total, "iteration")}; all: hiera-transform --measure phases --by iteration`));
    const bars = new Iterations(phases[select.value], show);
    holder.replaceChildren(bars.element);
    bars.draw();
    return undefined;
  };
  place.replaceChildren(make("p", {class: "tools"}, make("label", {}, "of ", select)),
                        make("p", {class: "legend"}, PARTS.filter((_, part) => part !== IDLE || idles).map(([color, text]) => make("span", {}, make("i", {style: `background:var(${color})`}), text))), holder);
  draw();
  return undefined;
}
