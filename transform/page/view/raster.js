// Thin lanes, pixel by pixel: one row of pixels for each lane, in which deeper operations hide those around them.
import {mixPacked} from "./colors.js";
import {lowerBound} from "./store.js";

const SHADES = 8; // of bars that stand for several operations with gaps
const STRIPE = 2, STRIPES = 6; // pixels of a light stripe of waiting, and from one to the next
const LIGHT = 0.75; // how much of a stripe is white, as in the hatching of thick lanes
const WHITE = 0xffffffff;

/** Paler versions of colours: pale[color * SHADES + strength]. */
function makePale(packed, paper) {
  const pale = new Uint32Array(packed.length * SHADES);
  packed.forEach((color, i) => {
    for (let k = 0; k < SHADES; k++) pale[i * SHADES + k] = mixPacked(paper, color, (k + 1) / SHADES);
  });
  return pale;
}

/** Which part of a bar is waiting. */
export function shareOfWaiting(bars, i, merged) {
  return Math.min(1, bars.waiting[i] / Math.max(1, merged ? bars.busy[i] : bars.duration[i]));
}

export class Raster {
  /** @param paper  packed colour behind all */
  constructor(width, nRows, coloring, paper) {
    this.width = width;
    this.pixels = new Uint32Array(width * nRows).fill(paper);
    this.nRows = nRows;
    this.coloring = coloring;
    this.pale = makePale(coloring.packed, paper);
    this.striped = this.pale.map((color) => mixPacked(color, WHITE, LIGHT));
  }

  /** Draw bars into a row, as far as they are in [begin, end].
   * @param reach  no bar is longer, so that those before the window need not be looked at
   * @param wanted  set of sites; others are left out; null: all
   * @param waitsAt  by site where it waits: that part of a bar gets stripes; null: none does */
  draw(row, bars, merged, {begin, end}, reach, wanted, waitsAt) {
    const {width, pixels, pale, coloring} = this;
    const scale = width / (end - begin), start = row * width;
    const {begin: begins, duration} = bars;
    for (let i = lowerBound(begins, bars.n, begin - reach); i < bars.n && begins[i] <= end; i++) {
      const to = begins[i] + duration[i];
      if (to < begin || (wanted && !wanted.has(bars.site[i]))) continue;
      const strength = merged ? Math.min(SHADES - 1, Math.floor(bars.busy[i] / Math.max(1, duration[i]) * SHADES)) : SHADES - 1;
      const shade = coloring.at(bars, i) * SHADES + strength;
      const left = Math.max(0, Math.floor((begins[i] - begin) * scale));
      const right = Math.min(width, Math.max(left + 1, Math.floor((to - begin) * scale)));
      pixels.fill(pale[shade], start + left, start + right);
      const at = bars.waiting[i] > 0 && waitsAt ? (merged ? "begin" : waitsAt[bars.site[i]]) : "behind";
      const length = Math.ceil((right - left) * shareOfWaiting(bars, i, merged));
      if (at === "begin") this.stripe(row, left, left + length, this.striped[shade]);
      if (at === "end") this.stripe(row, right - length, right, this.striped[shade]);
    }
  }

  stripe(row, left, right, color) {
    for (let x = left; x < right; x++)
      if ((x + STRIPE * row) % STRIPES < STRIPE) this.pixels[row * this.width + x] = color;
  }

  /** A canvas with the picture, to be drawn at any height. */
  canvas() {
    const canvas = document.createElement("canvas");
    canvas.width = this.width;
    canvas.height = this.nRows;
    canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(this.pixels.buffer), this.width, this.nRows), 0, 0);
    return canvas;
  }
}
