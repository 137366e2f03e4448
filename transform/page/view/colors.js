// Colours: of kinds of things by a palette that colour-blind eyes can tell apart (Okabe and Ito), of quantities by lightness.

import {waitsAt} from "./store.js";

const PALETTE = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#b8a000", "#7f6fc0"];
const MPI = "#d55e00";
const MIXED = "#8a8a8a";
const N_SHADES = 64;

/** Whether pictures have light lines on a dark ground. Paper is white. */
export function isDark() {
  return matchMedia("(prefers-color-scheme: dark)").matches && !matchMedia("print").matches;
}

/** Call `draw` when the colours of the page change, also for a print and after it. */
export function whenColorsChange(draw) {
  for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", draw);
}

/** A colour for a share from 0 (pale) to 1 (strong). */
export function shade(share, dark) {
  const strength = Math.max(0, Math.min(1, share));
  const lightness = dark ? 18 + 47 * strength : 96 - 56 * strength;
  return `hsl(215 75% ${lightness.toFixed(1)}%)`;
}

/** The bytes of a colour, as ImageData has them on this machine: a number that a Uint32Array takes. */
export function packColor(color) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d", {willReadFrequently: true});
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0];
}

/** Mix two packed colours: `share` of the second one. */
export function mixPacked(a, b, share) {
  let mixed = 0;
  for (let shift = 0; shift < 32; shift += 8) {
    const x = (a >>> shift) & 255, y = (b >>> shift) & 255;
    mixed |= Math.round(x + (y - x) * share) << shift;
  }
  return mixed >>> 0;
}

/** Colours by a text of each site: its level, or its kind. */
function bySite(head, textOf, first) {
  const texts = [...new Set(head.sites.map(textOf))].sort();
  const rest = texts.filter((text) => text !== first);
  const colors = new Map(rest.map((text, i) => [text, PALETTE[i % PALETTE.length]]));
  if (texts.includes(first)) colors.set(first, MPI);
  const list = head.sites.map((site) => colors.get(textOf(site)));
  return {legend: [...texts.map((text) => [colors.get(text), text]), [MIXED, "short ones together"]], index: (bars, i) => bars.site[i], list: [...list, MIXED]};
}

/** Colours by a share from 0 to 1 that each bar has. */
function byShare(shareOf, legend, dark) {
  const list = Array.from({length: N_SHADES}, (_, i) => shade(i / (N_SHADES - 1), dark));
  const index = (bars, i) => Math.max(0, Math.min(N_SHADES - 1, Math.round(shareOf(bars, i) * (N_SHADES - 1))));
  return {legend: [[list[4], legend[0]], [list[N_SHADES - 1], legend[1]]], index, list: [...list, MIXED]};
}

function logShare(value, least, most) {
  return value <= least ? 0 : Math.log(value / least) / Math.log(Math.max(2, most / least));
}

/** Whether an operation has no waiting in it: what it has is behind it. */
function isOver(head, bars, i) {
  return !bars.busy && waitsAt(head.sites[bars.site[i]]) === "behind";
}

const MODES = {
  level: (head) => bySite(head, (site) => site.level, "mpi"),
  kind: (head) => bySite(head, (site) => site.kind, "local"),
  duration: (head, length, dark) => byShare((bars, i) => logShare(bars.busy ? bars.busy[i] / bars.count[i] : bars.duration[i], length * 1e-7, length),
                                            ["short", "long"], dark),
  waiting: (head, length, dark) => byShare((bars, i) => (isOver(head, bars, i) ? 0 : bars.waiting[i] / Math.max(1, bars.busy ? bars.busy[i] : bars.duration[i])), ["no waiting", "all waiting"], dark),
  bytes: (head, length, dark) => byShare((bars, i) => logShare(bars.bytes[i] / (bars.busy ? bars.count[i] : 1), 1, 1 << 30), ["few bytes", "1 GB"], dark),
};
export const COLOR_MODES = Object.keys(MODES);

/** How bars are coloured: {legend: [[color, text]], list: colours, packed: the same packed, at(bars, i): index in both}. */
export function makeColoring(mode, head, length, dark) {
  const made = MODES[mode](head, length, dark);
  const last = made.list.length - 1;
  const at = (bars, i) => { const index = made.index(bars, i); return index < 0 ? last : index; };
  return {legend: made.legend, list: made.list, packed: Uint32Array.from(made.list, packColor), at};
}
