// The picture of the timeline: bars, waiting hatched, messages as arrows, collectives as bands, the critical path.
import {packColor} from "./colors.js";
import {plain} from "./dom.js";
import {Raster, shareOfWaiting} from "./raster.js";
import {ticks} from "./scale.js";
import {lowerBound} from "./store.js";
import {formatTick} from "./units.js";

export const LABELS = 90; // pixels on the left for names of lanes
export const AXIS = 22;
const MAX_ARROWS = 1500;
const MANY_ARROWS = 100;
export const FONT = "11px system-ui, sans-serif";
const NOTHING = {list: [], total: 0, hidden: 0};
const FEW_LANES = 40; // with more of them only the longest messages are drawn

export function nameOf(site) {
  return site.class ? `${site.class}::${site.name}` : site.name;
}

export function placeOf(site) {
  return site.file ? `${site.file}${site.line ? ":" + site.line : ""}` : "";
}

export function laneName({rank, thread}) {
  return thread ? `P${rank} thread ${thread}` : `P${rank}`;
}

export function cssColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Write the name of a time above its place; at the right edge of the plot it stands left of that, so that all of it is seen. */
export function writeTick(context, text, x, y, right) {
  context.textAlign = "center";
  context.fillText(text, Math.min(x, right - context.measureText(text).width / 2 - 1), y);
}

function makeHatch(context) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const pen = tile.getContext("2d");
  pen.strokeStyle = "rgba(255,255,255,0.75)";
  pen.lineWidth = 1.6;
  for (const shift of [-6, 0, 6]) {
    pen.beginPath();
    pen.moveTo(shift - 1, 7);
    pen.lineTo(shift + 7, -1);
    pen.stroke();
  }
  return context.createPattern(tile, "repeat");
}

export class Painter {
  /** @param view  the timeline: store, head, window, layout, coloring, wanted, chosen, critical, show */
  constructor(view, canvas) {
    this.view = view;
    this.canvas = canvas;
  }

  resize(width, height) {
    const ratio = window.devicePixelRatio || 1;
    this.width = width;
    this.height = height;
    this.canvas.style.height = height + "px";
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.context = this.canvas.getContext("2d");
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.hatch = makeHatch(this.context);
    this.readColors();
  }

  /** Colours are read from the style once, because asking for them is slow. */
  readColors() {
    this.colors = Object.fromEntries(["paper", "ink", "line", "arrow", "critical", "band"].map((name) => [name, cssColor("--" + name)]));
    this.paper = packColor(this.colors.paper);
  }

  get plot() {
    return this.width - LABELS;
  }

  x(time) {
    return LABELS + (time - this.view.window.begin) / this.view.window.span * this.plot;
  }

  time(x) {
    return this.view.window.begin + (x - LABELS) / this.plot * this.view.window.span;
  }

  /** Draw all. Returns {level, isFine: whether each operation is drawn alone, arrows, lacks: what is left out, as [{name, drawn, total, isExact, hasMore}]}. */
  draw() {
    const {context, view} = this;
    context.globalAlpha = 1;
    context.fillStyle = this.colors.paper;
    context.fillRect(0, 0, this.width, this.height);
    this.drawAxis();
    const {level, isFine} = view.store.levelFor(view.window.span / this.plot);
    if (view.layout.thin) this.drawThin(level);
    else this.drawThick(level);
    const bands = view.show.bands ? this.visible("bands", level) : NOTHING;
    for (const band of bands.list) this.drawBand(band);
    if (view.show.critical && view.critical) this.drawCritical(view.critical.list);
    if (view.chosen) this.drawChosen(view.chosen);
    const arrows = view.show.arrows ? this.visible("arrows", level) : NOTHING;
    const drawn = this.drawArrows(arrows.list);
    this.drawLabels();
    const isLast = level === view.store.details.length - 1;
    const lack = (name, {list, total, hidden}, n = list.length) => ({name, drawn: n, total, isExact: !hidden, hasMore: !hidden || !isLast});
    return {level, isFine, arrows: arrows.list, lacks: [lack("message", arrows, drawn.length), lack("collective", bands)].filter((one) => one.drawn < one.total)};
  }

  drawAxis() {
    const {context} = this, {begin, end} = this.view.window;
    context.font = FONT;
    context.textBaseline = "middle";
    const times = ticks(begin, end, this.plot / 110), step = times.length > 1 ? times[1] - times[0] : end - begin;
    for (const time of times) {
      const x = Math.round(this.x(time)) + 0.5;
      context.fillStyle = this.colors.line;
      context.fillRect(x, AXIS - 4, 1, this.height);
      context.fillStyle = this.colors.ink;
      writeTick(context, formatTick(Math.round(time), step), x, AXIS / 2, this.width);
    }
  }

  /** Call `draw(level, tile)` for the tiles of all levels down to one. */
  eachTile(level, draw) {
    const {store, window: {begin, end}} = this.view;
    for (let i = 0; i <= level; i++)
      for (const tile of store.tiles("tile", i, begin, end, () => this.view.ask())) draw(i, tile);
  }

  /** No operation that stands in a level alone is longer. */
  reach(level) {
    return level > 0 ? this.view.store.details[level - 1].width : this.view.store.length;
  }

  drawThin(level) {
    const {view} = this, {shown, places} = view.layout, waits = view.show.waiting ? view.waitsAt : null;
    const raster = new Raster(Math.max(1, Math.round(this.plot)), shown.length, view.coloring, this.paper);
    this.eachTile(level, (i, tile) => shown.forEach((lane, row) => tile[lane].forEach(({exact, merged}) => {
      raster.draw(row, exact, false, view.window, this.reach(i), view.wanted, waits);
      if (i === level) raster.draw(row, merged, true, view.window, 8 * view.store.details[i].width, view.wanted, waits);
    })));
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(raster.canvas(), LABELS, AXIS, this.plot, places[shown[0]].height * shown.length);
  }

  /** How far before the window a bar may begin of which something is in it. Waiting behind a bar is seen as far as its tile is there. */
  reachOf(level, lane, depth) {
    const {details} = this.view.store;
    return this.reach(level) + (this.view.head.lanes[lane].thread && depth === 0 ? details[level].tile : 0);
  }

  drawThick(level) {
    const {layout: {shown}} = this.view;
    this.eachTile(level, (_, tile) => shown.forEach((lane) => this.drawTeams(tile, lane)));
    this.eachTile(level, (i, tile) => shown.forEach((lane) => tile[lane].forEach(({exact, merged}, depth) => {
      this.drawBars(exact, lane, depth, false, this.reachOf(i, lane, depth));
      if (i === level) this.drawBars(merged, lane, depth, true, 8 * this.view.store.details[i].width);
    })));
  }

  /** Parallel regions of a rank's main thread, as bands behind the lanes of its other threads. */
  drawTeams(tile, lane) {
    const {context, view} = this, {shown, places} = view.layout, {lanes} = view.head, {begin, end} = view.window;
    const at = shown.indexOf(lane), {rank, thread} = lanes[lane];
    let last = at;
    while (last + 1 < shown.length && lanes[shown[last + 1]].rank === rank) last++;
    if (thread || last === at) return;
    const top = places[shown[at + 1]].y, bottom = places[shown[last]].y + places[shown[last]].height;
    context.globalAlpha = 0.12;
    for (const {exact} of tile[lane]) {
      for (let i = 0; i < exact.n; i++) {
        const to = exact.begin[i] + exact.duration[i];
        if (!view.isTeam[exact.site[i]] || to < begin || exact.begin[i] > end) continue;
        const left = Math.max(LABELS, this.x(exact.begin[i])), right = Math.min(this.width, this.x(to));
        context.fillStyle = view.coloring.list[view.coloring.at(exact, i)];
        context.fillRect(left, top, right - left, bottom - top);
      }
    }
    context.globalAlpha = 1;
  }

  drawBars(bars, lane, depth, merged, reach) {
    const {context, view} = this, {y, row} = view.layout.places[lane];
    const top = y + depth * row, height = row - 1;
    const {begin, end} = view.window;
    for (let i = lowerBound(bars.begin, bars.n, begin - reach); i < bars.n && bars.begin[i] <= end; i++) {
      const to = bars.begin[i] + bars.duration[i];
      if (!merged && view.show.waiting && view.waitsBehind(bars, i)) this.drawWaitingBehind(bars, i, to, top, height);
      if (to < begin) continue;
      const left = Math.max(LABELS, this.x(bars.begin[i])), width = Math.max(0.6, Math.min(this.width, this.x(to)) - left);
      const faint = view.wanted && !view.wanted.has(bars.site[i]) ? 0.15 : 1;
      context.globalAlpha = faint * (merged ? Math.max(0.25, Math.min(1, bars.busy[i] / Math.max(1, bars.duration[i]))) : 1);
      context.fillStyle = view.coloring.list[view.coloring.at(bars, i)];
      context.fillRect(left, top, width, height);
      if (bars.waiting[i] > 0 && view.show.waiting) this.drawWaiting(bars, i, left, top, width, height, merged);
      if (!merged && width > 34 && height > 9) this.drawName(nameOf(view.head.sites[bars.site[i]]), left, top, width, height);
    }
    context.globalAlpha = 1;
  }

  /** Of one operation the waiting is drawn where it waits; of merged ones its share. */
  drawWaiting(bars, i, left, top, width, height, merged) {
    const at = merged ? "begin" : this.view.waitsAt[bars.site[i]], length = width * shareOfWaiting(bars, i, merged);
    if (at === "behind") return;
    this.context.fillStyle = this.hatch;
    this.context.fillRect(at === "end" ? left + width - length : left, top, length, height);
  }

  /** A thread that waits for the others of its team after its own part: no operation is there. */
  drawWaitingBehind(bars, i, from, top, height) {
    const {context, view} = this, left = Math.max(LABELS, this.x(from)), right = Math.min(this.width, this.x(from + bars.waiting[i]));
    if (right <= left) return;
    context.globalAlpha = 0.4;
    context.fillStyle = view.coloring.list[view.coloring.at(bars, i)];
    context.fillRect(left, top, right - left, height);
    context.globalAlpha = 1;
    context.fillStyle = this.hatch;
    context.fillRect(left, top, right - left, height);
  }

  drawName(name, left, top, width, height) {
    const {context} = this;
    context.save();
    context.beginPath();
    context.rect(left, top, width - 2, height);
    context.clip();
    context.font = "10px system-ui, sans-serif";
    context.textAlign = "left";
    context.lineWidth = 2;
    context.strokeStyle = "rgba(0,0,0,0.45)";
    context.strokeText(plain(name), left + 3, top + height / 2 + 0.5);
    context.fillStyle = "#fff";
    context.fillText(plain(name), left + 3, top + height / 2 + 0.5);
    context.restore();
  }

  /** Things of the levels down to one that touch the window: {list, total, hidden}. Of the tiles at which it looks, `hidden` things are in a finer
   * level, or not in the page; `total` takes the share of these that the window has of the tiles. */
  visible(kind, level) {
    const {store, window: {begin, end}} = this.view, {tile: wide} = store.details[level];
    const from = Math.max(0, Math.floor(begin / wide) - 1) * wide, to = (Math.floor(end / wide) + 1) * wide;
    const list = [];
    let hidden = 0;
    for (let i = 0; i <= level; i++) {
      for (const tile of store.tiles(kind, i, begin, end, () => this.view.ask())) {
        if (i === level) hidden += tile.hidden;
        for (const one of tile.list) if (one.begin <= end && one.begin + one.duration >= begin) list.push(one);
      }
    }
    const total = list.length + Math.ceil(hidden * (end - begin) / (to - from)), most = this.view.layout.shown.length > FEW_LANES ? 200 : MAX_ARROWS;
    if (list.length > most) list.sort((a, b) => b.duration - a.duration).splice(most);
    return {list, total, hidden};
  }

  middle(lane) {
    const {y, height} = this.view.layout.places[lane];
    return y + height / 2;
  }

  drawArrows(arrows) {
    const {context} = this, scale = this.plot / this.view.window.span;
    // Many short ones would only hide the bars.
    if (arrows.length > MANY_ARROWS) arrows = arrows.filter((arrow) => arrow.duration * scale >= 3);
    context.strokeStyle = context.fillStyle = this.colors.arrow;
    context.lineWidth = 1;
    context.globalAlpha = 0.6;
    for (const arrow of arrows) this.drawArrow(this.x(arrow.begin), this.middle(arrow.from), this.x(arrow.end), this.middle(arrow.to));
    context.globalAlpha = 1;
    return arrows;
  }

  drawArrow(x1, y1, x2, y2) {
    const {context} = this;
    if (Math.max(x1, x2) < LABELS || Math.min(x1, x2) > this.width || y1 === y2) return;
    const angle = Math.atan2(y2 - y1, x2 - x1);
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
    context.beginPath();
    context.moveTo(x2, y2);
    context.lineTo(x2 - 7 * Math.cos(angle - 0.4), y2 - 7 * Math.sin(angle - 0.4));
    context.lineTo(x2 - 7 * Math.cos(angle + 0.4), y2 - 7 * Math.sin(angle + 0.4));
    context.fill();
  }

  /** A collective: a line where its last member comes, and a band from there until its last member leaves. */
  drawBand({begin, lastBegin, duration, from, to}) {
    const {context} = this, {places} = this.view.layout;
    const top = places[from].y, bottom = Math.max(places[to].y + places[to].height, top + 2);
    const left = Math.max(LABELS, this.x(lastBegin)), right = Math.min(this.width, this.x(begin + duration));
    if (right < LABELS || left > this.width) return;
    context.fillStyle = this.colors.band;
    context.globalAlpha = 0.12;
    if (right - left > 2) context.fillRect(left, top, right - left, bottom - top);
    context.globalAlpha = right - left > 2 ? 0.6 : 0.2;
    context.fillRect(left, top, 1, bottom - top);
    context.globalAlpha = 1;
  }

  /** The chain of operations that sets the run time: a line under each lane on which it is. */
  drawCritical(list) {
    const {begin, end} = this.view.window;
    this.context.fillStyle = this.colors.critical;
    for (const {lane, begin: from, duration} of list) {
      if (from > end || from + duration < begin) continue;
      const {y, height} = this.view.layout.places[lane], left = Math.max(LABELS, this.x(from));
      const thickness = height > 6 ? 3 : 1;
      this.context.fillRect(left, y + height - (height > 6 ? 0 : 1), Math.max(0.6, this.x(from + duration) - left), thickness);
    }
  }

  drawChosen({lane, depth = 0, begin, duration}) {
    const {y, row, depths} = this.view.layout.places[lane];
    const left = Math.max(LABELS, this.x(begin));
    this.context.strokeStyle = this.colors.ink;
    this.context.lineWidth = 2;
    this.context.strokeRect(left, y + Math.min(depth, depths - 1) * row, Math.max(2, this.x(begin + duration) - left), Math.max(2, row - 1));
    this.context.lineWidth = 1;
  }

  drawLabels() {
    const {context} = this, {layout: {shown, places}} = this.view;
    context.fillStyle = this.colors.paper;
    context.fillRect(0, 0, LABELS - 4, this.height);
    context.fillStyle = this.colors.ink;
    context.textAlign = "right";
    context.font = FONT;
    let last = -20;
    for (const lane of shown) {
      const {y, height} = places[lane];
      if (y + height / 2 - last < 12) continue;
      last = y + height / 2;
      context.fillText(this.view.labelOf(lane), LABELS - 10, last);
    }
  }
}
