// The blocks of numbers: what each one says; transform/page/README.md has their order.
import {NumberReader} from "./bytes.js";

const EXACT = ["begin", "duration", "site", "row", "waiting", "bytes"];
const MERGED = ["begin", "duration", "count", "busy", "waiting", "bytes", "site"];

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
    exact.bytes[i] = reader.next();
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
    merged.bytes[i] = reader.next();
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

/** Messages of a tile: {total, hidden: those that begin in it and are in no level down to this one, list}. `end` is before `begin` where clocks differ; `toBegin` is when the call begins at whose end the message arrives. */
export function decodeArrows(bytes, nLanes, tileBegin) {
  const reader = new NumberReader(bytes);
  const total = reader.next(), hidden = reader.next();
  const list = [];
  for (let n = reader.next(), row = 0, begin = tileBegin; n > 0; n--) {
    row += reader.signed();
    const from = reader.next();
    begin += reader.signed();
    const to = reader.next(), end = begin + reader.signed(), toBegin = end - reader.next(), bytesPlusOne = reader.next();
    const toRow = row + reader.signed();
    list.push({row, from, begin, to, end, duration: Math.max(0, end - begin), toBegin, bytes: bytesPlusOne - 1, toRow, receiveRow: toRow + reader.signed()});
  }
  return {total, hidden, list};
}

/** Collectives of a tile: {total, hidden, list}. `lastBegin` is when the last member comes, on lane `late`. */
export function decodeBands(bytes, nLanes, tileBegin) {
  const reader = new NumberReader(bytes);
  const total = reader.next(), hidden = reader.next();
  const list = [];
  for (let n = reader.next(), begin = tileBegin; n > 0; n--) {
    begin += reader.signed();
    const lastBegin = begin + reader.next(), duration = reader.next(), from = reader.next(), to = from + reader.next();
    list.push({begin, lastBegin, duration, from, to, members: reader.next(), site: reader.next(), late: reader.next()});
  }
  return {total, hidden, list};
}

/** What the worst operations of a call path have most of; behind them follow the classes of waiting. */
export const [MOST_TIME, MOST_OWN, MOST_TRANSFER, MOST_BYTES, MOST_WAITING, MOST_OF_CLASS] = [0, 1, 2, 3, 4, 5];

/** Call paths: {nodes: [{parent, site, children, longest, most: what → {place, value}}], ranks: by rank a Map from node to its sums}. Site −3 is the
 * program, −2 all further threads, −1 what a filter hid. `hidden`: of the program, the time in MPI calls that a filter hid.
 * Children are only those that some rank has: a page of a part of the run has sums of few paths. */
/** Puts what counters counted (the block `counted`) with the sums of the tree, in thousandths. */
export function addCounted(tree, {ranks}) {
  ranks.forEach((cells, rank) => cells.forEach(([node, counter, value]) => { tree.ranks[rank].get(node).counted[counter] = Math.round(value * 1000); }));
}

export function decodeTree(bytes, nRanks) {
  const reader = new NumberReader(bytes);
  const nodes = [];
  for (let n = reader.next(), i = 0; i < n; i++) {
    const node = {number: i, parent: reader.next(), site: reader.next() - 3, children: [], most: new Map()};
    nodes.push(node);
  }
  const ranks = [];
  for (let rank = 0; rank < nRanks; rank++) {
    const sums = new Map(), hidden = reader.next();
    for (let n = reader.next(), node = 0; n > 0; n--) {
      node += reader.next();
      const sum = {calls: reader.next(), inclusive: reader.next(), exclusive: reader.next(), bytes: reader.next(), waiting: 0, classes: [], counted: []};
      for (let k = reader.next(); k > 0; k--) {
        const number = reader.next(), time = reader.next();
        sum.classes[number] = time;
        sum.waiting += time;
      }
      sums.set(node, sum);
    }
    sums.get(0).hidden = hidden;
    ranks.push(sums);
  }
  const used = new Set(ranks.flatMap((sums) => [...sums.keys()]));
  for (let i = nodes.length - 1; i > 0; i--) if (used.has(i)) used.add(nodes[i].parent);
  for (const node of nodes) if (node.number > 0 && used.has(node.number)) nodes[node.parent].children.push(node);
  for (const node of nodes) {
    for (let n = reader.next(); n > 0; n--) {
      const place = {row: reader.next(), lane: reader.next(), depth: reader.next(), begin: reader.next(), duration: reader.next(), site: node.site};
      for (let k = reader.next(); k > 0; k--) node.most.set(reader.next(), {place, value: reader.next()});
    }
    node.longest = node.most.get(MOST_TIME)?.place || null;
  }
  return {nodes, ranks};
}

/** The critical path: {total, list: [{lane, begin, duration}], least}, the latest first; what is missing is not longer than `least`. */
export function decodeCritical(bytes) {
  const reader = new NumberReader(bytes);
  const total = reader.next(), list = [];
  for (let n = reader.next(), begin = 0; n > 0; n--) {
    const lane = reader.next();
    begin += reader.signed();
    list.push({lane, begin, duration: reader.next()});
  }
  return {total, list, least: total > list.length ? list.reduce((least, {duration}) => Math.min(least, duration), Infinity) : 0};
}

/** What ranks do over time: {edges, threads, sums}: threads[rank]; sums[rank][what][bin] in nanoseconds; what: useful (mean of its threads), MPI, files, waiting. */
export function decodeHeat(bytes, nRanks) {
  const reader = new NumberReader(bytes), n = reader.next();
  const series = (length) => Array.from({length}, () => reader.next());
  const edges = n ? series(n + 1) : [];
  const parts = Array.from({length: nRanks}, () => ({threads: reader.next(), sums: Array.from({length: 4}, () => series(n))}));
  return {edges, threads: parts.map((part) => part.threads), sums: parts.map((part) => part.sums)};
}

/** Rows of the measure matrix: [{sender, receiver, kind, messages, bytes, send, receive}], times in nanoseconds. */
export function decodeMatrix(bytes) {
  const reader = new NumberReader(bytes), rows = [];
  for (let n = reader.next(); n > 0; n--) {
    rows.push({kind: reader.next(), sender: reader.signed(), receiver: reader.signed(), messages: reader.signed(), bytes: reader.signed(),
               send: reader.signed(), receive: reader.signed()});
  }
  const kinds = Array.from({length: reader.next()}, () => new TextDecoder().decode(Uint8Array.from({length: reader.next()}, () => reader.byte())));
  for (const row of rows) row.kind = kinds[row.kind];
  return rows;
}

/** Iterations by phase: [{number, total, list: [{iteration, start, time, useful, mpi, slowest}]}], times in nanoseconds. */
export function decodeIterations(bytes) {
  const reader = new NumberReader(bytes), phases = [];
  while (!reader.isAtEnd) {
    const phase = {number: reader.next(), total: reader.next(), list: []};
    for (let n = reader.next(), iteration = 0, start = 0; n > 0; n--) {
      iteration += reader.signed();
      start += reader.signed();
      phase.list.push({iteration, start, time: reader.next(), useful: reader.next(), mpi: reader.next(), idle: reader.next(), slowest: reader.signed()});
    }
    phases.push(phase);
  }
  return phases;
}

function readPlace(reader) {
  return {row: reader.next(), lane: reader.next(), depth: reader.next(), site: reader.next(), begin: reader.next(), duration: reader.next()};
}

/** The longest waits: {totals: by class how many the run has, list: [{class, begin, duration, at, causer}]}; `at` and `causer` are
 * operations. */
export function decodeWaits(bytes, nClasses) {
  const reader = new NumberReader(bytes);
  const totals = Array.from({length: nClasses}, () => reader.next()), list = [];
  for (let n = reader.next(); n > 0; n--) {
    const wait = {class: reader.next(), begin: reader.next(), duration: reader.next(), at: readPlace(reader)};
    wait.causer = reader.next() ? readPlace(reader) : null;
    list.push(wait);
  }
  return {totals, list};
}

/** What a search finds: {total, list}; the list has the longest of them, by rank and row. */
export function decodeFound(bytes) {
  const reader = new NumberReader(bytes);
  const total = reader.next(), list = [];
  for (let n = reader.next(); n > 0; n--)
    list.push({lane: reader.next(), depth: reader.next(), begin: reader.next(), duration: reader.next(), site: reader.next(), row: reader.next(), waiting: reader.next()});
  return {total, list: list.sort((a, b) => a.begin - b.begin || a.lane - b.lane)};
}

/** Where operations stand that the page knows in full: by row {row, lane, depth, site, begin, duration, waiting, parent: row of the
 * one around it or −1}. */
export function decodePlaces(bytes) {
  const reader = new NumberReader(bytes), places = new Map();
  for (let n = reader.next(), row = 0, begin = 0; n > 0; n--) {
    row += reader.next();
    const place = {row, lane: reader.next(), depth: reader.next(), site: reader.next()};
    begin += reader.signed();
    Object.assign(place, {begin, duration: reader.next(), waiting: reader.next()});
    const back = reader.next();
    places.set(row, {...place, parent: back ? row - back : -1});
  }
  return places;
}

/** Arguments: {isWhole: whether all operations of the run are there, rows: by row [[name, value], …]}.
 * @param words  the block `arguments` */
export function decodeOperations(bytes, words) {
  const reader = new NumberReader(bytes);
  const isWhole = reader.next() === 1, rows = new Map();
  for (let row = 0; !reader.isAtEnd;) {
    row += reader.next();
    const list = [];
    for (let i = reader.next(); i > 0; i--) {
      const what = reader.next();
      list.push([words.names[Math.floor(what / 2)], what % 2 ? reader.signed() : words.texts[reader.next()]]);
    }
    rows.set(row, list);
  }
  return {isWhole, rows};
}
