// A picture made of cells, with names of its rows and columns. Each cell says its numbers.
import {isDark, packColor, shade, whenColorsChange} from "./colors.js";
import {make} from "./dom.js";
import {AXIS, cssColor, FONT, writeTick} from "./paint.js";

const MAX_CELLS_HEIGHT = 360;
const MAX_MANY_HEIGHT = 540; // with more rows than MAX_CELLS_HEIGHT
const MAX_CELL = 24; // pixels, where there is room
const NAME_ROOM = 12; // between names of rows
const N_CELL_SHADES = 64;

/** Height of all rows, in pixels. */
export function heightOfRows(rows, width, square) {
  if (square) return Math.min(width, MAX_CELLS_HEIGHT, Math.max(rows * MAX_CELL, 60));
  return rows > MAX_CELLS_HEIGHT ? Math.min(rows, MAX_MANY_HEIGHT) : Math.min(MAX_CELL, Math.floor(MAX_CELLS_HEIGHT / rows)) * rows;
}

/** Every how many rows have a name: a power of two. @param room  pixels between names */
export function stepOfNames(high, room) {
  return 2 ** Math.max(0, Math.ceil(Math.log2(room / high)));
}

/** A canvas of cells, with a cursor that the pointer and the arrow keys move. */
export class Cells {
  /** @param label   what the picture shows
   *  @param what    {columns, rows: how many; share: (column, row) → from 0 to 1, or −1 for a cell in which there is nothing;
   *                 say: (column, row) → what the cell says; nameOfRow: row → text; marks: pixels → [[column, text]] above, columns
   *                 may be fractions; gutter: pixels for names; square; ends: names of the palest and the strongest shade}
   *  @param choose  called with (column, row) on a click and on Enter */
  constructor(label, what, choose) {
    Object.assign(this, what);
    this.at = null;
    this.canvas = make("canvas", {tabindex: "0", role: "application", "aria-label": `${label}. The arrow keys go from cell to cell, Enter shows it.`});
    this.legend = make("p", {class: "legend"});
    this.status = make("p", {class: "note", role: "status"}, label);
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("click", (event) => { const cell = this.cellOf(event); if (cell) choose(...cell); });
    this.canvas.addEventListener("keydown", (event) => this.key(event, choose));
    this.element = make("div", {class: "cells named"}, this.legend, this.canvas, this.status);
    window.addEventListener("resize", () => this.draw());
    whenColorsChange(() => this.draw(true));
  }

  cellOf(event) {
    const column = Math.floor((event.offsetX - this.gutter) / this.plot * this.columns), row = Math.floor((event.offsetY - AXIS) / this.height * this.rows);
    return column < 0 || row < 0 || column >= this.columns || row >= this.rows ? null : [column, row];
  }

  point(event) {
    const cell = this.cellOf(event);
    if (cell) this.go(...cell);
  }

  go(column, row) {
    if (this.at && this.at[0] === column && this.at[1] === row) return;
    this.at = [column, row];
    this.status.textContent = this.say(column, row);
    this.draw();
  }

  key(event, choose) {
    const [column, row] = this.at || [0, 0];
    const moves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    if (event.key === "Enter") choose(column, row);
    else if (!moves[event.key]) return;
    else this.go(Math.max(0, Math.min(this.columns - 1, column + moves[event.key][0])), Math.max(0, Math.min(this.rows - 1, row + moves[event.key][1])));
    event.preventDefault();
  }

  /** One pixel for each cell. */
  picture() {
    const {columns, rows} = this, dark = isDark();
    const colors = Array.from({length: N_CELL_SHADES}, (_, i) => shade(i / (N_CELL_SHADES - 1), dark)), shades = Uint32Array.from(colors, packColor), none = packColor(cssColor("--paper"));
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
    this.legend.replaceChildren(...this.ends.map((text, i) => make("span", {}, make("i", {style: `background:${colors[i * (N_CELL_SHADES - 1)]}`}), text)));
    return canvas;
  }

  /** @param isNew  the shares or the colours have changed */
  draw(isNew = false) {
    if (!this.columns || !this.rows) return;
    if (isNew || !this.made) this.made = this.picture();
    const room = Math.max(100, (this.canvas.parentElement?.clientWidth || 600) - this.gutter), ratio = window.devicePixelRatio || 1;
    this.height = heightOfRows(this.rows, room, this.square);
    this.plot = this.square ? this.height * this.columns / this.rows : room;
    this.canvas.width = Math.round((this.gutter + this.plot) * ratio);
    this.canvas.height = Math.round((AXIS + this.height) * ratio);
    this.canvas.style.width = this.gutter + this.plot + "px";
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.imageSmoothingEnabled = this.rows > this.height * ratio;
    context.drawImage(this.made, this.gutter, AXIS, this.plot, this.height);
    context.strokeStyle = cssColor("--line");
    context.strokeRect(this.gutter + 0.5, AXIS + 0.5, this.plot - 1, this.height - 1);
    this.drawNames(context);
    if (this.at) this.drawCursor(context);
  }

  drawNames(context) {
    context.font = FONT;
    context.textBaseline = "middle";
    context.fillStyle = cssColor("--ink");
    context.textAlign = "right";
    const high = this.height / this.rows, step = stepOfNames(high, NAME_ROOM);
    for (let row = 0; row < this.rows; row += step) context.fillText(this.nameOfRow(row), this.gutter - 10, AXIS + (row + 0.5) * high);
    for (const [column, text] of this.marks(this.plot)) writeTick(context, text, this.gutter + column / this.columns * this.plot, AXIS / 2, this.gutter + this.plot);
  }

  drawCursor(context) {
    const wide = this.plot / this.columns, high = this.height / this.rows;
    context.strokeStyle = cssColor("--critical");
    context.lineWidth = 2;
    context.strokeRect(this.gutter + this.at[0] * wide, AXIS + this.at[1] * high, wide, high);
  }
}
