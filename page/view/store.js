// What the file holds: blocks are unpacked when they are asked for, and kept.
import {bytesOfBase64, inflate, NumberReader} from "./bytes.js";

const unpacked = new Map();

/** The bytes of a block; a promise. */
export function block(name) {
  if (!unpacked.has(name)) {
    const element = document.getElementById("block-" + name);
    if (!element) return Promise.reject(new Error(`the page has no block ${name}`));
    unpacked.set(name, inflate(bytesOfBase64(element.textContent)));
    element.remove();
  }
  return unpacked.get(name);
}

/** The value of a block in JSON; a promise. */
export async function jsonBlock(name) {
  return JSON.parse(new TextDecoder().decode(await block(name)));
}

const EXACT = ["begin", "duration", "site", "row", "waiting"];
const MERGED = ["begin", "duration", "count", "busy", "waiting", "site"];

function columns(names, n) {
  const made = {n};
  for (const name of names) made[name] = new Float64Array(n);
  return made;
}

function readExact(reader, tileBegin) {
  const exact = columns(EXACT, reader.next());
  for (let i = 0, begin = tileBegin, row = 0; i < exact.n; i++) {
    begin += reader.signed();
    exact.begin[i] = begin;
    exact.duration[i] = reader.next();
    exact.site[i] = reader.next();
    row += reader.signed();
    exact.row[i] = row;
    exact.waiting[i] = reader.next();
  }
  return exact;
}

function readMerged(reader, tileBegin) {
  const merged = columns(MERGED, reader.next());
  for (let i = 0, begin = tileBegin; i < merged.n; i++) {
    begin += reader.signed();
    merged.begin[i] = begin;
    merged.duration[i] = reader.next();
    merged.count[i] = reader.next();
    merged.busy[i] = reader.next();
    merged.waiting[i] = reader.next();
    merged.site[i] = reader.next() - 1;
  }
  return merged;
}

/** A tile: lanes[lane][depth] = {exact, merged}. */
export function decodeTile(bytes, nLanes, tileBegin) {
  const reader = new NumberReader(bytes);
  const lanes = [];
  for (let lane = 0; lane < nLanes; lane++) {
    const depths = [];
    for (let n = reader.next(); n > 0; n--)
      depths.push({exact: readExact(reader, tileBegin), merged: readMerged(reader, tileBegin)});
    lanes.push(depths);
  }
  return lanes;
}

/** Messages of a tile: {total, list}. */
export function decodeArrows(bytes, tileBegin) {
  const reader = new NumberReader(bytes);
  const total = reader.next();
  const list = [];
  for (let n = reader.next(), row = 0, begin = tileBegin; n > 0; n--) {
    row += reader.signed();
    const from = reader.next();
    begin += reader.signed();
    const to = reader.next(), duration = reader.next(), bytesPlusOne = reader.next();
    list.push({row, from, begin, to, duration, bytes: bytesPlusOne - 1, toRow: row + reader.signed()});
  }
  return {total, list};
}

/** Call paths: {nodes: [{parent, site, children}], ranks: by rank a Map from node to its sums}. Site −2 is the program,
 * −1 all further threads. */
export function decodeTree(bytes, nRanks) {
  const reader = new NumberReader(bytes);
  const nodes = [];
  for (let n = reader.next(), i = 0; i < n; i++) {
    const node = {number: i, parent: reader.next(), site: reader.next() - 2, children: []};
    nodes.push(node);
    if (i > 0) nodes[node.parent].children.push(node);
  }
  const ranks = [];
  for (let rank = 0; rank < nRanks; rank++) {
    const sums = new Map();
    for (let n = reader.next(), node = 0; n > 0; n--) {
      node += reader.next();
      sums.set(node, {calls: reader.next(), inclusive: reader.next(), exclusive: reader.next(), bytes: reader.next(), waiting: reader.next()});
    }
    ranks.push(sums);
  }
  return {nodes, ranks};
}

/** The critical path: {total, list: [{lane, begin, duration}]}, the latest first. */
export function decodeCritical(bytes) {
  const reader = new NumberReader(bytes);
  const total = reader.next(), list = [];
  for (let n = reader.next(), begin = 0; n > 0; n--) {
    const lane = reader.next();
    begin += reader.signed();
    list.push({lane, begin, duration: reader.next()});
  }
  return {total, list};
}

/** The run, with its tiles. */
export class Store {
  constructor(head) {
    this.head = head;
    this.begin = BigInt(head.run.begin);
    this.length = Number(BigInt(head.run.end) - this.begin);
    this.details = head.details.map((detail) => ({width: Number(detail.width), tile: Number(detail.tile),
                                                  tiles: detail.tiles, merged: detail.merged}));
    this.ready = new Map();
    this.waiting = new Set();
  }

  /** The level for a zoom, and whether it is as fine as the zoom wants. */
  levelFor(nsPerPixel) {
    const wanted = this.details.findIndex((detail) => detail.width <= nsPerPixel);
    const level = wanted < 0 ? this.details.length - 1 : wanted;
    return {level, isFine: wanted >= 0 || this.details[level].merged === 0};
  }

  /** What is there of the tiles that a window needs; `onReady` is called when one that was not there is. */
  tiles(kind, level, begin, end, onReady) {
    const found = [];
    const {tile, tiles} = this.details[level];
    const first = Math.max(0, Math.floor(begin / tile) - 1), last = Math.min(tiles - 1, Math.floor(end / tile));
    for (let i = first; i <= last; i++) {
      const name = `${kind}-${level}-${i}`;
      if (this.ready.has(name)) found.push(this.ready.get(name));
      else this.load(name, kind, i * tile, onReady);
    }
    return found;
  }

  async load(name, kind, tileBegin, onReady) {
    if (this.waiting.has(name)) return;
    this.waiting.add(name);
    const bytes = await block(name);
    this.ready.set(name, kind === "tile" ? decodeTile(bytes, this.head.lanes.length, tileBegin)
                                         : decodeArrows(bytes, tileBegin));
    onReady();
  }

  /** One tile, whether it was there or not; a promise. */
  async tileNow(kind, level, number) {
    const name = `${kind}-${level}-${number}`;
    if (!this.ready.has(name)) {
      this.waiting.delete(name);
      await this.load(name, kind, number * this.details[level].tile, () => {});
    }
    return this.ready.get(name);
  }
}
