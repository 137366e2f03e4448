// The whole run in a strip, and in it the window that the timeline shows.
import {make} from "./dom.js";
import {cssColor, LABELS} from "./paint.js";
import {Raster} from "./raster.js";

const HEIGHT = 34;

export class Minimap {
  constructor(timeline) {
    this.timeline = timeline;
    this.canvas = make("canvas", {class: "minimap", "aria-hidden": "true"});
    timeline.canvas.before(this.canvas);
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.key = "";
  }

  /** The picture of the whole run; a new one only if its size or its colours have changed. */
  background(width) {
    const {timeline} = this, {coloring, layout: {shown}, store, painter} = timeline;
    const tiles = store.tiles("tile", 0, 0, store.length, () => timeline.ask());
    const key = `${width} ${timeline.mode} ${timeline.layouts} ${painter.paper} ${tiles.length}`;
    if (key !== this.key) {
      this.key = key;
      const raster = new Raster(width, shown.length, coloring, painter.paper);
      for (const tile of tiles) {
        shown.forEach((lane, row) => tile[lane].forEach(({exact, merged}) => {
          raster.draw(row, exact, false, {begin: 0, end: store.length}, store.length, null);
          raster.draw(row, merged, true, {begin: 0, end: store.length}, store.length, null);
        }));
      }
      this.picture = raster.canvas();
    }
    return this.picture;
  }

  draw() {
    const {timeline: {painter, store, window: {begin, end}}} = this;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.style.height = HEIGHT + "px";
    this.canvas.width = Math.round(painter.width * ratio);
    this.canvas.height = Math.round(HEIGHT * ratio);
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.background(Math.max(1, Math.round(painter.plot))), LABELS, 0, painter.plot, HEIGHT);
    const left = LABELS + begin / store.length * painter.plot, right = LABELS + end / store.length * painter.plot;
    context.fillStyle = cssColor("--veil");
    context.fillRect(LABELS, 0, left - LABELS, HEIGHT);
    context.fillRect(right, 0, painter.width - right, HEIGHT);
    context.strokeStyle = cssColor("--ink");
    context.strokeRect(left, 0.5, Math.max(2, right - left), HEIGHT - 1);
  }

  /** The window moves to where the pointer is. */
  press(event) {
    const {timeline} = this, {store, painter} = timeline;
    const go = (now) => {
      const time = (now.offsetX - LABELS) / painter.plot * store.length, half = timeline.window.span / 2;
      timeline.window.set(time - half, time + half);
      timeline.ask();
    };
    const stop = () => {
      this.canvas.removeEventListener("pointermove", go);
      this.canvas.removeEventListener("pointerup", stop);
    };
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.addEventListener("pointermove", go);
    this.canvas.addEventListener("pointerup", stop);
    go(event);
  }
}
