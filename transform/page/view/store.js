// What the file or its server holds: blocks are unpacked when they are asked for, and kept.
import {bytesOfBase64, inflate} from "./bytes.js";
import {decodeArrows, decodeBands, decodeFound, decodeTile} from "./decode.js";
import {fetchBlock} from "./server.js";

const MOST_TILES = 2000; // of a server's; more are forgotten, because a run of any length is behind it
const MOST_SITES = 2000; // as many fit into an address

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

const DECODERS = {tile: decodeTile, arrows: decodeArrows, bands: decodeBands};

/** The first index whose value is not below a limit. */
export function lowerBound(values, n, limit) {
  let low = 0, high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The run, with its tiles. */
export class Store {
  constructor(head) {
    this.head = head;
    this.begin = BigInt(head.run.begin);
    this.length = Number(BigInt(head.run.end) - this.begin);
    this.details = head.details.map((detail) => ({width: Number(detail.width), tile: Number(detail.tile),
                                                  tiles: detail.tiles, merged: detail.merged}));
    this.places = new Map(); // operations that the page knows in full, by row
    this.ownMessages = new Map(); // the messages of these, by row
    this.hasOwnMessages = true; // all of them
    this.ready = new Map();
    this.waiting = new Map();
    this.onLost = () => {}; // called when a server has not answered
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
      else if (!this.waiting.has(name)) this.tileNow(kind, level, i).then(onReady, () => {});
    }
    return found;
  }

  /** One tile; a promise. */
  tileNow(kind, level, number) {
    const name = `${kind}-${level}-${number}`;
    if (!this.waiting.has(name)) {
      this.waiting.set(name, this.bytes(name).then((bytes) => {
        const made = DECODERS[kind](bytes, this.head.lanes.length, number * this.details[level].tile);
        this.ready.set(name, made);
        if (this.head.served) this.forget();
        return made;
      }));
    }
    return this.waiting.get(name);
  }

  /** The bytes of a block, from the page or its server; a promise. One that fails can be asked for again. */
  bytes(name) {
    if (!this.head.served) return block(name);
    return fetchBlock(`block/${name}`).catch((error) => {
      this.waiting.delete(name);
      this.onLost(error);
      throw error;
    });
  }

  /** Forget the tile that came first, if there are too many. */
  forget() {
    if (this.ready.size <= MOST_TILES) return;
    const [name] = this.ready.keys();
    this.ready.delete(name);
    this.waiting.delete(name);
  }

  /** The tiles of a level in which operations at a time begin; a promise. */
  tilesAround(level, time) {
    const {tile, tiles} = this.details[level];
    const at = Math.min(tiles - 1, Math.max(0, Math.floor(time / tile)));
    return Promise.all((at > 0 ? [at - 1, at] : [at]).map((i) => this.tileNow("tile", level, i)));
  }

  /** The messages of an operation, its send, its receive or what completes that: {list, all: whether the page holds all of the run}.
   * A promise. When the message of a receive began is not known from the receive, so all messages are looked at, once. */
  async messagesOf(row) {
    if (this.places.has(row)) return {list: this.ownMessages.get(row) || [], all: this.hasOwnMessages};
    this.byRow ||= this.indexMessages();
    const {index, all} = await this.byRow;
    return {list: index.get(row) || [], all};
  }

  async indexMessages() {
    const index = new Map();
    let total = 0, n = 0;
    for (let level = 0; level < this.details.length; level++) {
      for (let i = 0; i < this.details[level].tiles; i++) {
        const tile = await this.tileNow("arrows", level, i);
        if (level === 0) total += tile.total;
        n += tile.list.length;
        indexArrows(tile.list, index);
      }
    }
    return {index, all: n >= total};
  }

  /** The operations of a lane that are open at a time, by depth; those that the page holds alone. A promise. */
  async openAt(lane, time) {
    const found = [];
    for (let level = 0; level < this.details.length; level++) {
      for (const tile of await this.tilesAround(level, time)) {
        tile[lane].forEach((part, depth) => {
          const i = indexAt(part.exact, time);
          if (i >= 0) found[depth] = pick(part.exact, i, lane, depth);
        });
      }
    }
    return found.filter(Boolean);
  }

  /** The operations of a lane that begin at a time; those that the page holds alone. Several of a depth do if they take no time. A promise. */
  async beginningAt(lane, time) {
    const found = [];
    for (let level = 0; level < this.details.length; level++) {
      for (const tile of await this.tilesAround(level, time)) {
        tile[lane].forEach(({exact}, depth) => {
          for (let i = lowerBound(exact.begin, exact.n, time); i < exact.n && exact.begin[i] === time; i++) found.push(pick(exact, i, lane, depth));
        });
      }
    }
    return found;
  }

  /** An operation that the page knows or holds alone, by lane, row and begin; else null. A promise. */
  async locate(lane, row, begin) {
    const served = this.head.served; // the next page of a job that runs numbers rows anew
    const known = this.places.get(row);
    if (known && (!served || known.begin === begin)) return known;
    const found = [...await this.openAt(lane, begin), ...await this.beginningAt(lane, begin)];
    return found.find((one) => one.row === row && (!served || one.begin === begin)) || (served && found.find((one) => one.begin === begin)) || null;
  }

  /** The same by the place at which it stands; the place itself, as far as it is known, if the page holds it only with others. A promise. */
  async resolve(place) {
    const {lane, row, depth, begin} = place;
    if (this.places.has(row)) return this.places.get(row);
    const found = [...await this.openAt(lane, begin), ...await this.beginningAt(lane, begin)];
    return found.find((one) => (row === undefined ? one.depth === depth && one.begin === begin : one.row === row)) || place;
  }

  /** Take what the page knows in full. @param messages  of these operations: {total, list} */
  know(places, {total, list}) {
    this.places = places;
    this.ownMessages = indexArrows(list, new Map());
    this.hasOwnMessages = list.length === total;
  }

  /** The operations around one, the outermost first; a promise. */
  async around(bar) {
    const known = bar.count ? undefined : this.places.get(bar.row), found = [];
    if (!known) return (await this.openAt(bar.lane, bar.begin)).filter((one) => one.depth < bar.depth);
    for (let at = this.places.get(known.parent); at; at = this.places.get(at.parent)) found.unshift(at);
    return found;
  }

  /** Operations for which an expression holds: {total, list}. A promise; an expression that is wrong is its error. */
  async where(expression) {
    return decodeFound(await fetchBlock(`where?expr=${encodeURIComponent(expression)}`));
  }

  /** Operations of some sites that the page holds alone, at most `most`: the longest of them, by time. A promise. */
  async instances(sites, most) {
    if (this.head.served) return decodeFound(await this.bytes(`sites-${[...sites].slice(0, MOST_SITES).join()}`)).list;
    const longest = new Longest(most);
    // What is in a finer level is shorter.
    for (let level = 0; level < this.details.length && longest.list.length < most; level++) {
      for (let i = 0; i < this.details[level].tiles; i++) {
        (await this.tileNow("tile", level, i)).forEach((depths, lane) => depths.forEach(({exact}, depth) => {
          for (let k = 0; k < exact.n; k++)
            if (exact.duration[k] > longest.floor && sites.has(exact.site[k])) longest.add(pick(exact, k, lane, depth));
        }));
      }
    }
    return longest.cut().sort((a, b) => a.begin - b.begin || a.lane - b.lane);
  }
}

/** Keeps the longest of the bars that are added to it; of equally long ones the first. */
class Longest {
  constructor(most) {
    this.most = most;
    this.list = [];
    this.floor = -1; // no longer than this: need not be added
  }

  add(bar) {
    if (this.list.push(bar) >= 2 * this.most) this.floor = this.cut()[this.most - 1].duration;
  }

  cut() {
    this.list = this.list.sort((a, b) => b.duration - a.duration).slice(0, this.most);
    return this.list;
  }
}

/** Add messages to an index of those of each operation. */
function indexArrows(arrows, index) {
  for (const arrow of arrows) {
    for (const row of new Set([arrow.row, arrow.toRow, arrow.receiveRow])) {
      if (!index.has(row)) index.set(row, []);
      index.get(row).push(arrow);
    }
  }
  return index;
}

/** The last one that begins by a time, if it is open then; else −1. Operations of a lane and depth do not overlap. */
function indexAt(bars, time) {
  const i = lowerBound(bars.begin, bars.n, time + 1) - 1;
  return i >= 0 && time <= bars.begin[i] + bars.duration[i] ? i : -1;
}

/** One bar as an object. */
export function pick(bars, i, lane, depth) {
  const found = {lane, depth};
  for (const name of Object.keys(bars)) if (name !== "n") found[name] = bars[name][i];
  return found;
}

/** Where an operation waits: at its begin; regions of OpenMP at their end, behind what runs inside; the part of a further thread in a region after its end. */
export function waitsAt(site) {
  if (site.level !== "openmp") return "begin";
  return site.name === "task" || site.name === "implicit task" ? "behind" : "end";
}
