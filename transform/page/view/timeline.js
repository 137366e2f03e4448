// The timeline: what is shown of the run, and what a person does with it.
import {makeColoring, COLOR_MODES, isDark, whenColorsChange} from "./colors.js";
import {make, commandLine} from "./dom.js";
import {foldLanes, layoutLanes, threadsFit} from "./lanes.js";
import {AXIS, LABELS, laneName, nameOf, Painter} from "./paint.js";
import {TimeWindow} from "./scale.js";
import {lowerBound, pick, waitsAt} from "./store.js";
import {countOf, formatCount, formatTick, formatTime} from "./units.js";

const KEYS = "Keys: ← → move, + − zoom, 0 the whole run, Enter chooses, ↑ ↓ the bar around and inside, , . the bar before and after, n p next and previous found, t the threads of a rank, Esc lets go.";
const MANY_RANKS = 64; // with more of them, lanes of ranks that behave alike are folded at first
const SWITCHES = [["arrows", "messages"], ["bands", "collectives"], ["waiting", "waiting"], ["critical", "critical path"]];

export class Timeline {
  /** @param place    element that it fills
   *  @param onChange called when what is shown has changed, by time or by choice */
  constructor(store, place, onChange) {
    this.store = store;
    this.head = store.head;
    this.onChange = onChange;
    this.window = new TimeWindow(store.length);
    this.chosen = null;
    this.wanted = null;
    this.found = [];
    this.mode = "level";
    this.show = {arrows: true, bands: true, waiting: true, critical: true};
    this.canFold = this.head.lanes.some((lane) => lane.group !== lane.rank);
    this.folded = this.canFold && new Set(this.head.lanes.map((lane) => lane.rank)).size > MANY_RANKS;
    this.hasThreads = new Set(this.head.lanes.filter((lane) => lane.thread).map((lane) => lane.rank));
    this.threadsShown = threadsFit(this.head.lanes);
    this.turned = new Set(); // ranks whose threads are shown though those of others are not, or the other way round
    this.layouts = 0;
    this.waitsAt = this.head.sites.map(waitsAt);
    this.isTeam = this.head.sites.map((site) => site.level === "openmp" && (site.name === "parallel" || site.name === "teams"));
    this.canvas = make("canvas", {tabindex: "0", role: "application", "aria-label": `Timeline. ${KEYS}`});
    this.painter = new Painter(this, this.canvas);
    this.legend = make("p", {class: "legend"});
    this.status = make("p", {class: "note", role: "status"});
    this.listeners = [];
    store.onLost = () => this.status.replaceChildren("The server of this page does not answer: what it has not sent is missing here.");
    place.replaceChildren(this.makeTools(), this.legend, this.canvas, this.status, make("p", {class: "note keys"}, KEYS));
    this.listen();
    this.setColors();
    this.resize();
  }

  makeTools() {
    this.select = make("select", {id: "color-mode", change: (event) => this.setMode(event.target.value)},
                        COLOR_MODES.map((mode) => make("option", {value: mode}, mode)));
    const boxes = SWITCHES.map(([name, text]) => this.makeSwitch(text, this.show[name], (on) => { this.show[name] = on; this.ask(); }));
    this.foldBox = this.makeSwitch("fold ranks that behave alike", this.folded, (on) => this.fold(on));
    this.foldBox.hidden = !this.canFold;
    this.threadsBox = this.makeSwitch("threads", this.threadsShown, (on) => this.showThreads(on));
    this.threadsBox.hidden = !this.hasThreads.size;
    return make("p", {class: "tools"}, make("label", {}, "colour by ", this.select), boxes, this.threadsBox, this.foldBox,
                make("button", {type: "button", click: () => this.showAll()}, "whole run"));
  }

  makeSwitch(text, isOn, change) {
    const box = make("input", {type: "checkbox", change: (event) => change(event.target.checked)});
    box.checked = isOn;
    return make("label", {}, box, " " + text);
  }

  setMode(mode) {
    if (!COLOR_MODES.includes(mode)) return;
    this.mode = mode;
    this.select.value = mode;
    this.setColors();
    this.ask();
  }

  setColors() {
    this.coloring = makeColoring(this.mode, this.head, this.store.length, isDark());
    this.legend.replaceChildren(...this.coloring.legend.map(([color, text]) => make("span", {}, make("i", {style: `background:${color}`}), text)),
                                make("span", {}, make("i", {class: "hatched"}), "waiting"), make("span", {}, make("i", {class: "critical"}), "critical path"));
  }

  fold(on) {
    this.folded = on;
    this.foldBox.querySelector("input").checked = on;
    this.resize();
  }

  /** Show the further threads of all ranks, or of none. */
  showThreads(on) {
    this.threadsShown = on;
    this.turned.clear();
    this.threadsBox.querySelector("input").checked = on;
    this.resize();
  }

  /** Show the further threads of some ranks if they are hidden, else hide them. */
  turnThreads(ranks) {
    for (const rank of ranks) if (this.hasThreads.has(rank) && !this.turned.delete(rank)) this.turned.add(rank);
    this.resize();
  }

  hidesThreads(rank) {
    return this.threadsShown === this.turned.has(rank);
  }

  /** The label of a main thread has a mark if its rank has others, and says how many ranks are hidden behind it ("+507"), or how many threads it stands for ("×8"). */
  labelOf(lane) {
    const {rank, thread} = this.head.lanes[lane], {hides, threads} = this.layout.places[lane];
    const mark = thread || !this.hasThreads.has(rank) ? "" : threads ? "▸ " : "▾ ";
    return mark + laneName(this.head.lanes[lane]) + (hides ? ` +${hides}` : threads ? ` ×${threads + 1}` : "");
  }

  /** Whether a thread waits behind an operation, of its team's region. */
  waitsBehind(bars, i) {
    return bars.waiting[i] > 0 && this.waitsAt[bars.site[i]] === "behind";
  }

  resize() {
    this.layouts++;
    this.shownBy = foldLanes(this.head.lanes, this.folded, (rank) => this.hidesThreads(rank));
    this.layout = layoutLanes(this.head.lanes, this.shownBy, AXIS);
    this.painter.resize(Math.max(200, this.canvas.parentElement.clientWidth), this.layout.height);
    this.ask();
  }

  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      const begun = performance.now();
      this.draw();
      this.drawn = performance.now() - begun; // milliseconds, for the bench
    });
  }

  draw() {
    this.picture = this.painter.draw();
    this.say();
    this.onChange();
  }

  /** Say what the picture leaves out, and how to see it. */
  say() {
    const {isFine, lacks} = this.picture;
    const {begin, end, span} = this.window;
    const parts = [`${formatTick(Math.round(begin), span / 100)} to ${formatTick(Math.round(end), span / 100)}, ${formatTime(Math.round(span))}`];
    for (const {name, drawn, total, isExact, hasMore} of lacks)
      parts.push(`${formatCount(drawn)} of ${isExact ? "" : "about "}${countOf(total, name)} are drawn${drawn ? ", the longest" : ""}: ${hasMore ? "zoom in to see others" : "the page has no others"}`);
    const {least = 0} = this.critical || {};
    if (this.show.critical && least > span / this.painter.plot) parts.push(`parts of the critical path that are shorter than ${formatTime(least)} are not in the page`);
    if (!isFine) parts.push("the page holds shorter operations only together");
    const text = parts.join("; ");
    const absolute = (ns) => ((Number(this.store.begin) + ns) / 1e9).toFixed(9);
    const command = () => commandLine(`hiera-transform ${this.head.run.command} --html window.html --from ${absolute(this.window.begin)} --to ${absolute(this.window.end)}`);
    this.status.replaceChildren(text, ...(isFine && lacks.every((one) => one.hasMore) ? [] : [". All of this window: ", command()]));
  }

  laneAt(y) {
    return this.layout.shown.find((one) => y >= this.layout.places[one].y && y < this.layout.places[one].y + this.layout.places[one].height);
  }

  /** The rank whose threads a click on its label shows or hides; -1: there is none. */
  labelAt(x, y) {
    const lane = x < LABELS ? this.laneAt(y) : undefined;
    return lane !== undefined && this.hasThreads.has(this.head.lanes[lane].rank) ? this.head.lanes[lane].rank : -1;
  }

  /** The bar at a place of the canvas, or null. */
  find(x, y) {
    const lane = x < LABELS ? undefined : this.laneAt(y);
    if (lane === undefined) return null;
    const place = this.layout.places[lane], depth = Math.floor((y - place.y) / place.row);
    const time = this.painter.time(x), reach = this.window.span / this.painter.plot;
    if (!this.layout.thin) return this.findAt(lane, depth, time, reach);
    for (let deep = this.head.lanes[lane].depths - 1; deep >= 0; deep--) {
      const found = this.findAt(lane, deep, time, reach);
      if (found) return found;
    }
    return null;
  }

  /** The bar of a lane at a depth and time, if it is drawn now. */
  findAt(lane, depth, time, reach) {
    let found = null;
    this.painter.eachTile(this.picture.level, (level, tile) => {
      const part = tile[lane][depth];
      if (!part || found) return;
      for (const [bars, drawn] of [[part.exact, true], [part.merged, level === this.picture.level]]) {
        for (let i = drawn ? lowerBound(bars.begin, bars.n, time + reach) - 1 : -1; i >= 0 && !found; i--) {
          const behind = bars === part.exact && this.waitsBehind(bars, i) ? bars.waiting[i] : 0;
          if (bars.begin[i] + bars.duration[i] + behind + reach >= time) found = pick(bars, i, lane, depth);
          if (time - bars.begin[i] > this.painter.reachOf(level, lane, depth) + reach) break;
        }
      }
    });
    return found;
  }

  choose(found) {
    const {rank, thread} = found ? this.head.lanes[found.lane] : {};
    if (thread && this.hidesThreads(rank)) this.turnThreads([rank]);
    this.chosen = found;
    for (const listener of this.listeners) listener(found);
    this.ask();
  }

  /** Choose an operation and bring it into the window. */
  async visit(place) {
    const {begin, duration} = place;
    if (begin + duration < this.window.begin || begin > this.window.end || duration > this.window.span || duration < this.window.span / 400)
      this.showSpan(begin, duration);
    this.choose(await this.store.resolve(place));
    this.canvas.scrollIntoView({block: "nearest"});
  }

  /** Show a span of time with some room round it. */
  showSpan(begin, duration) {
    const room = Math.max(duration * 0.6, 50);
    this.window.set(begin - room, begin + duration + room);
    this.ask();
  }

  showAll() {
    this.window.set(0, this.store.length);
    this.ask();
  }

  /** Mark the bars of some sites; the others become faint. @param found  the instances that n and p go through */
  mark(sites, found) {
    this.wanted = sites;
    this.found = found;
    this.ask();
  }

  /** Go to the next found instance, or to the previous one. */
  step(by) {
    if (!this.found.length) return;
    const time = this.chosen ? this.chosen.begin : by > 0 ? this.window.begin - 1 : this.window.end + 1;
    const lane = this.chosen ? this.chosen.lane : -1;
    const isAfter = (one) => one.begin > time || (one.begin === time && one.lane > lane);
    const isBefore = (one) => one.begin < time || (one.begin === time && one.lane < lane);
    const next = by > 0 ? this.found.find(isAfter) || this.found[0] : this.found.filter(isBefore).pop() || this.found[this.found.length - 1];
    this.visit(next);
  }

  listen() {
    const touches = new Map();
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), {passive: false});
    this.canvas.addEventListener("pointerdown", (event) => this.press(event, touches));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("pointermove", (event) => { this.canvas.style.cursor = this.labelAt(event.offsetX, event.offsetY) >= 0 ? "pointer" : ""; });
    this.canvas.addEventListener("dblclick", (event) => {
      const found = this.find(event.offsetX, event.offsetY);
      if (found) this.showSpan(found.begin, found.duration);
    });
    window.addEventListener("resize", () => this.resize());
    whenColorsChange(() => { this.setColors(); this.resize(); this.draw(); }); // a print does not wait for the next frame
  }

  wheel(event) {
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.window.move((event.deltaX || event.deltaY) / this.painter.plot * this.window.span);
    else this.window.zoom(Math.exp(event.deltaY * 0.002), this.painter.time(event.offsetX));
    this.ask();
  }

  /** One pointer moves the window, two zoom it; a click without a move chooses. */
  press(event, touches) {
    touches.set(event.pointerId, event.offsetX);
    let start = {x: event.offsetX, begin: this.window.begin, end: this.window.end}, moved = false;
    const move = (now) => {
      if (now.pointerId !== event.pointerId) return;
      const before = [...touches.values()];
      touches.set(now.pointerId, now.offsetX);
      if (touches.size === 2) {
        const after = [...touches.values()], apart = Math.max(10, Math.abs(before[0] - before[1]));
        this.window.zoom(apart / Math.max(10, Math.abs(after[0] - after[1])), this.painter.time((after[0] + after[1]) / 2));
        start = {x: now.offsetX, begin: this.window.begin, end: this.window.end};
        moved = true;
      } else {
        const shift = (now.offsetX - start.x) / this.painter.plot * (start.end - start.begin);
        moved = moved || Math.abs(now.offsetX - start.x) > 3;
        if (moved) this.window.set(start.begin - shift, start.end - shift);
      }
      this.ask();
    };
    const stop = (now) => {
      if (now.pointerId !== event.pointerId) return;
      touches.delete(now.pointerId);
      for (const kind of ["pointerup", "pointercancel"]) this.canvas.removeEventListener(kind, stop);
      this.canvas.removeEventListener("pointermove", move);
      if (moved || now.type !== "pointerup") return;
      const label = this.labelAt(now.offsetX, now.offsetY);
      if (label >= 0) this.turnThreads([label]);
      else this.choose(this.find(now.offsetX, now.offsetY));
    };
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.addEventListener("pointermove", move);
    for (const kind of ["pointerup", "pointercancel"]) this.canvas.addEventListener(kind, stop);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const middle = (this.window.begin + this.window.end) / 2;
    const actions = {ArrowLeft: () => this.window.move(-this.window.span / 5), ArrowRight: () => this.window.move(this.window.span / 5),
                     ArrowUp: () => this.chooseBeside(-1), ArrowDown: () => this.chooseBeside(1),
                     ",": () => this.chooseNeighbor(-1), ".": () => this.chooseNeighbor(1), n: () => this.step(1), p: () => this.step(-1),
                     "+": () => this.window.zoom(0.5, middle), "-": () => this.window.zoom(2, middle), 0: () => this.showAll(),
                     t: () => this.turnThreads(this.chosen ? [this.head.lanes[this.chosen.lane].rank] : this.hasThreads),
                     Escape: () => this.choose(null), Enter: () => this.chooseMiddle(middle)};
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
    this.ask();
  }

  /** The bar in the middle of the first lane that has one there. */
  chooseMiddle(time) {
    for (const lane of this.layout.shown) {
      for (let depth = this.head.lanes[lane].depths - 1; depth >= 0; depth--) {
        const found = this.findAt(lane, depth, time, this.window.span / this.painter.plot);
        if (found) return this.choose(found);
      }
    }
    return null;
  }

  /** From the chosen bar to the one around it or inside it; beyond these, to the next lane that has one at that time. */
  chooseBeside(by) {
    if (!this.chosen) return this.chooseMiddle((this.window.begin + this.window.end) / 2);
    const time = Math.max(this.window.begin, this.chosen.begin) + Math.min(this.chosen.duration, this.window.span) / 2;
    const {shown} = this.layout, reach = this.window.span / this.painter.plot;
    let at = Math.max(0, shown.indexOf(this.shownBy[this.chosen.lane])), depth = this.chosen.depth + by;
    for (; at >= 0 && at < shown.length; at += by, depth = by > 0 ? 0 : this.head.lanes[shown[at]]?.depths - 1) {
      for (; depth >= 0 && depth < this.head.lanes[shown[at]].depths; depth += by) {
        const found = this.findAt(shown[at], depth, time, reach);
        if (found) return this.choose(found);
      }
    }
    return null;
  }

  /** The bar before or after the chosen one, at its depth. */
  chooseNeighbor(by) {
    if (!this.chosen) return;
    const {lane, depth, begin, duration} = this.chosen;
    let best = null;
    this.painter.eachTile(this.picture.level, (level, tile) => {
      const part = tile[lane][depth];
      for (const bars of part ? (level === this.picture.level ? [part.exact, part.merged] : [part.exact]) : []) {
        const i = by > 0 ? lowerBound(bars.begin, bars.n, begin + Math.max(1, duration)) : lowerBound(bars.begin, bars.n, begin) - 1;
        if (i >= 0 && i < bars.n && (!best || by * (best.begin - bars.begin[i]) > 0)) best = pick(bars, i, lane, depth);
      }
    });
    if (best) this.choose(best);
  }

  /** Words for a bar: for screen readers, and the title of its card. */
  nameOfBar(bar) {
    const site = this.head.sites[bar.site];
    return `${site ? nameOf(site) : "several operations"}, ${laneName(this.head.lanes[bar.lane])}, ${formatTime(bar.duration)}`;
  }
}
