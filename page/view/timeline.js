// The timeline: a lane for each thread, nested operations as stacked bars, messages as arrows, waiting hatched.
import {LevelColors} from "./colors.js";
import {make, plain} from "./dom.js";
import {TimeWindow, ticks} from "./scale.js";
import {formatBytes, formatCount, formatTime} from "./units.js";

const LABELS = 90; // pixels on the left for names of lanes
const AXIS = 22;
const ROW = 14; // pixels of a depth where there is room
const MAX_HEIGHT = 620;
const MAX_ARROWS = 1500;

function nameOf(site) {
  return site.class ? `${site.class}::${site.name}` : site.name;
}

function placeOf(site) {
  return site.file ? `${site.file}${site.line ? ":" + site.line : ""}` : "";
}

export class Timeline {
  constructor(store, place) {
    this.store = store;
    this.head = store.head;
    this.colors = new LevelColors(this.head.sites);
    this.window = new TimeWindow(store.length);
    this.chosen = null;
    this.canvas = make("canvas", {tabindex: "0", role: "application", "aria-label":
        "Timeline. Keys: arrows move, plus and minus zoom, 0 shows the whole run, Enter chooses the operation in the middle."});
    this.status = make("p", {class: "note", role: "status"});
    this.info = make("div", {id: "operation", "aria-live": "polite"});
    place.replaceChildren(this.legend(), this.canvas, this.status, this.info);
    this.hatch = null;
    this.listen();
    this.resize();
  }

  legend() {
    return make("p", {class: "legend"}, this.colors.levels.map((level) =>
        make("span", {}, make("i", {style: `background:${this.colors.byLevel.get(level)}`}), level)),
        make("span", {}, make("i", {class: "hatched"}), "waiting"), make("span", {}, make("i", {class: "critical"}), "critical path"));
  }

  /** Lanes from top to bottom: {y, height, row}, where `row` is the height of a depth. */
  layout() {
    const depths = this.head.lanes.map((lane) => Math.max(1, lane.depths));
    const wanted = depths.reduce((sum, n) => sum + n, 0) * ROW + depths.length * 6;
    const scale = Math.min(1, MAX_HEIGHT / wanted);
    let y = AXIS;
    this.lanes = depths.map((n) => {
      const height = Math.max(1, n * ROW * scale);
      const lane = {y, height, row: height / n};
      y += height + Math.max(scale < 1 ? 0 : 4, 6 * scale);
      return lane;
    });
    this.height = Math.ceil(y + 4);
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.layout();
    this.width = Math.max(200, this.canvas.parentElement.clientWidth);
    this.canvas.style.height = this.height + "px";
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context = this.canvas.getContext("2d");
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.hatch = this.makeHatch();
    this.ask();
  }

  makeHatch() {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const context = tile.getContext("2d");
    context.strokeStyle = "rgba(255,255,255,0.75)";
    context.lineWidth = 1.6;
    for (const shift of [-6, 0, 6]) {
      context.beginPath();
      context.moveTo(shift - 1, 7);
      context.lineTo(shift + 7, -1);
      context.stroke();
    }
    return this.context.createPattern(tile, "repeat");
  }

  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  x(time) {
    return LABELS + (time - this.window.begin) / this.window.span * (this.width - LABELS);
  }

  time(x) {
    return this.window.begin + (x - LABELS) / (this.width - LABELS) * this.window.span;
  }

  color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  draw() {
    const {context} = this;
    const begun = performance.now();
    context.fillStyle = this.color("--paper");
    context.fillRect(0, 0, this.width, this.height);
    this.drawAxis();
    const {level, isFine} = this.store.levelFor(this.window.span / (this.width - LABELS));
    this.level = level;
    for (let i = 0; i <= level; i++) this.drawLevel(i, i === level);
    this.drawCritical();
    this.drawChosen();
    this.drawArrows(level);
    this.drawLabels();
    this.say(isFine);
    this.drawn = performance.now() - begun;
  }

  drawAxis() {
    const {context} = this;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "center";
    for (const time of ticks(this.window.begin, this.window.end, (this.width - LABELS) / 110)) {
      const x = Math.round(this.x(time)) + 0.5;
      context.strokeStyle = this.color("--line");
      context.beginPath();
      context.moveTo(x, AXIS - 4);
      context.lineTo(x, this.height);
      context.stroke();
      context.fillStyle = this.color("--ink");
      context.fillText(formatTime(Math.round(time)), x, AXIS / 2);
    }
  }

  drawLevel(level, withMerged) {
    const tiles = this.store.tiles("tile", level, this.window.begin, this.window.end, () => this.ask());
    for (const tile of tiles) {
      tile.forEach((depths, lane) => depths.forEach((part, depth) => {
        this.drawBars(part.exact, lane, depth, false);
        if (withMerged) this.drawBars(part.merged, lane, depth, true);
      }));
    }
  }

  drawBars(bars, lane, depth, merged) {
    const {context} = this, {y, row} = this.lanes[lane];
    const top = y + depth * row, height = Math.max(0.7, row - (row > 4 ? 1 : 0));
    const {begin, end} = this.window;
    for (let i = 0; i < bars.n; i++) {
      const from = bars.begin[i], to = from + bars.duration[i];
      if (to < begin || from > end) continue;
      const left = Math.max(LABELS, this.x(from)), width = Math.max(0.6, Math.min(this.width, this.x(to)) - left);
      context.globalAlpha = merged ? Math.max(0.25, Math.min(1, bars.busy[i] / Math.max(1, bars.duration[i]))) : 1;
      context.fillStyle = this.colors.ofSite(bars.site[i]);
      context.fillRect(left, top, width, height);
      if (bars.waiting[i] > 0 && height > 2) this.drawWaiting(bars, i, left, top, width, height, merged);
      if (!merged && width > 34 && height > 9) this.drawName(this.head.sites[bars.site[i]], left, top, width, height);
    }
    context.globalAlpha = 1;
  }

  /** Of one operation the waiting is drawn from its begin; of merged ones its share. */
  drawWaiting(bars, i, left, top, width, height, merged) {
    const share = Math.min(1, bars.waiting[i] / Math.max(1, merged ? bars.busy[i] : bars.duration[i]));
    this.context.fillStyle = this.hatch;
    this.context.fillRect(left, top, width * share, height);
  }

  drawName(site, left, top, width, height) {
    const {context} = this;
    context.save();
    context.beginPath();
    context.rect(left, top, width - 2, height);
    context.clip();
    context.fillStyle = "#fff";
    context.textAlign = "left";
    context.font = "10px system-ui, sans-serif";
    context.fillText(plain(nameOf(site)), left + 3, top + height / 2 + 0.5);
    context.restore();
  }

  drawArrows(level) {
    const {context} = this;
    this.arrows = [];
    this.hidden = 0;
    for (let i = 0; i <= level; i++) {
      for (const tile of this.store.tiles("arrows", i, this.window.begin, this.window.end, () => this.ask())) {
        if (i === level) this.hidden += tile.total;
        this.arrows.push(...tile.list.filter((arrow) => arrow.begin <= this.window.end && arrow.begin + arrow.duration >= this.window.begin));
      }
    }
    const small = this.lanes[0].height < 4;
    if (small || this.arrows.length > MAX_ARROWS) this.arrows.sort((a, b) => b.duration - a.duration).splice(small ? 200 : MAX_ARROWS);
    context.strokeStyle = this.color("--arrow");
    context.fillStyle = this.color("--arrow");
    context.lineWidth = 1;
    for (const arrow of this.arrows) this.drawArrow(arrow);
  }

  drawArrow(arrow) {
    const {context} = this;
    const from = this.lanes[arrow.from], to = this.lanes[arrow.to];
    const x1 = this.x(arrow.begin), x2 = this.x(arrow.begin + arrow.duration);
    const y1 = from.y + from.height / 2, y2 = to.y + to.height / 2;
    if (x2 < LABELS || x1 > this.width) return;
    const angle = Math.atan2(y2 - y1, x2 - x1);
    context.globalAlpha = 0.6;
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
    context.beginPath();
    context.moveTo(x2, y2);
    context.lineTo(x2 - 7 * Math.cos(angle - 0.4), y2 - 7 * Math.sin(angle - 0.4));
    context.lineTo(x2 - 7 * Math.cos(angle + 0.4), y2 - 7 * Math.sin(angle + 0.4));
    context.fill();
    context.globalAlpha = 1;
  }

  /** The chain of operations that sets the run time: a line under each lane on which it is. */
  drawCritical() {
    if (!this.critical) return;
    this.context.fillStyle = this.color("--critical");
    for (const {lane, begin, duration} of this.critical.list) {
      if (begin > this.window.end || begin + duration < this.window.begin) continue;
      const {y, height} = this.lanes[lane], left = Math.max(LABELS, this.x(begin));
      this.context.fillRect(left, y + height - (height > 6 ? 0 : 1), Math.max(0.6, this.x(begin + duration) - left), height > 6 ? 3 : 1);
    }
  }

  drawLabels() {
    const {context} = this;
    context.fillStyle = this.color("--paper");
    context.fillRect(0, 0, LABELS - 4, this.height);
    context.fillStyle = this.color("--ink");
    context.textAlign = "right";
    context.font = "11px system-ui, sans-serif";
    let last = -20;
    this.lanes.forEach((lane, i) => {
      if (lane.y + lane.height / 2 - last < 12) return;
      last = lane.y + lane.height / 2;
      const {rank, thread} = this.head.lanes[i];
      context.fillText(thread ? `P${rank} thread ${thread}` : `P${rank}`, LABELS - 10, last);
    });
  }

  drawChosen() {
    if (!this.chosen) return;
    const {lane, depth, begin, duration} = this.chosen;
    const {y, row} = this.lanes[lane];
    const left = Math.max(LABELS, this.x(begin));
    this.context.strokeStyle = this.color("--ink");
    this.context.lineWidth = 2;
    this.context.strokeRect(left, y + depth * row, Math.max(2, this.x(begin + duration) - left), Math.max(2, row));
    this.context.lineWidth = 1;
  }

  /** Say what the picture leaves out, and how to see it. */
  say(isFine) {
    const parts = [`${formatTime(Math.round(this.window.begin))} to ${formatTime(Math.round(this.window.end))}`];
    if (this.hidden > this.arrows.length) parts.push(`${formatCount(this.arrows.length)} of ${formatCount(this.hidden)} messages are drawn`);
    const text = parts.join("; ");
    const absolute = (ns) => ((Number(this.store.begin) + ns) / 1e9).toFixed(9);
    const command = isFine ? null : make("code", {}, `hiera-transform ${this.head.run.command} --html window.html --from ${absolute(this.window.begin)} --to ${absolute(this.window.end)}`);
    this.status.replaceChildren(text, ...(command ? ["; the page holds shorter operations only together. All of this window: ", command] : []));
  }

  /** The bar at a place: {lane, depth, begin, duration, site, row, …}, or null. */
  find(x, y) {
    const lane = this.lanes.findIndex((one) => y >= one.y && y < one.y + one.height);
    if (lane < 0 || x < LABELS) return null;
    const depth = Math.floor((y - this.lanes[lane].y) / this.lanes[lane].row);
    const time = this.time(x), reach = this.window.span / (this.width - LABELS);
    for (let level = 0; level <= this.level; level++) {
      for (const tile of this.store.tiles("tile", level, this.window.begin, this.window.end, () => {})) {
        const part = tile[lane][depth];
        if (!part) continue;
        const found = this.findIn(part.exact, time, reach) ||
                      (level === this.level ? this.findIn(part.merged, time, reach) : null);
        if (found) return {lane, depth, ...found};
      }
    }
    return null;
  }

  findIn(bars, time, reach) {
    for (let i = 0; i < bars.n; i++) {
      if (bars.begin[i] - reach <= time && time <= bars.begin[i] + bars.duration[i] + reach) {
        const found = {};
        for (const name of Object.keys(bars)) if (name !== "n") found[name] = bars[name][i];
        return found;
      }
    }
    return null;
  }

  choose(found) {
    this.chosen = found;
    this.info.replaceChildren(found ? this.describe(found) : "");
    this.ask();
  }

  describe(found) {
    const site = this.head.sites[found.site];
    const {rank, thread, host} = this.head.lanes[found.lane];
    const list = [["rank", `P${rank}${thread ? ` thread ${thread}` : ""}${host ? ` on ${host}` : ""}`],
                  ["begin", formatTime(found.begin)], ["duration", formatTime(found.duration)],
                  ["waiting", formatTime(found.waiting)]];
    if (found.count) list.push(["operations", formatCount(found.count)], ["together", formatTime(found.busy)]);
    else list.push(["level", site.level], ["line", placeOf(site)]);
    for (const arrow of this.arrows.filter((one) => one.row === found.row || one.toRow === found.row)) {
      const leaves = arrow.row === found.row;
      const other = this.head.lanes[leaves ? arrow.to : arrow.from].rank;
      list.push([leaves ? "message to" : "message from", `P${other}, ${arrow.bytes < 0 ? "" : formatBytes(arrow.bytes) + ", "}${formatTime(arrow.duration)} under way`]);
    }
    const title = site ? nameOf(site) : "several operations";
    return make("div", {class: "card"}, make("h3", {}, title),
                make("dl", {}, list.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)))),
                make("button", {type: "button", click: () => this.show(found.begin, found.duration)}, "zoom to it"));
  }

  /** Show a span of time with some room round it. */
  show(begin, duration) {
    const room = Math.max(duration * 0.25, 50);
    this.window.set(begin - room, begin + duration + room);
    this.ask();
  }

  listen() {
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), {passive: false});
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("dblclick", (event) => {
      const found = this.find(event.offsetX, event.offsetY);
      if (found) this.show(found.begin, found.duration);
    });
    window.addEventListener("resize", () => this.resize());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.ask());
  }

  wheel(event) {
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.window.move((event.deltaX || event.deltaY) / (this.width - LABELS) * this.window.span);
    else this.window.zoom(Math.exp(event.deltaY * 0.002), this.time(event.offsetX));
    this.ask();
  }

  /** A drag moves the window; a click without one chooses. */
  press(event) {
    const start = {x: event.offsetX, begin: this.window.begin, end: this.window.end};
    let moved = false;
    const move = (now) => {
      const shift = (now.offsetX - start.x) / (this.width - LABELS) * (start.end - start.begin);
      moved = moved || Math.abs(now.offsetX - start.x) > 3;
      if (moved) this.window.set(start.begin - shift, start.end - shift);
      this.ask();
    };
    const stop = (now) => {
      this.canvas.removeEventListener("pointermove", move);
      if (!moved) this.choose(this.find(now.offsetX, now.offsetY));
    };
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.addEventListener("pointermove", move);
    this.canvas.addEventListener("pointerup", stop, {once: true});
  }

  key(event) {
    const middle = (this.window.begin + this.window.end) / 2;
    const actions = {ArrowLeft: () => this.window.move(-this.window.span / 5), ArrowRight: () => this.window.move(this.window.span / 5),
                     "+": () => this.window.zoom(0.5, middle), "-": () => this.window.zoom(2, middle), 0: () => this.window.set(0, this.window.length),
                     Escape: () => this.choose(null), Enter: () => this.chooseMiddle(middle)};
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
    this.ask();
  }

  /** The longest visible operation of the first lane that has one there. */
  chooseMiddle(time) {
    const x = this.x(time);
    for (const lane of this.lanes) {
      for (let y = lane.y + lane.height - lane.row / 2; y > lane.y; y -= lane.row) {
        const found = this.find(x, y);
        if (found) return this.choose(found);
      }
    }
    return null;
  }
}
