// Unit tests of the modules in transform/page/view/: this file is put behind them, and sees what they export.
const failures = [];
let done = 0;

function same(what, expected, actual) {
  done++;
  const plainly = (value) => JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}n` : one instanceof Map || one instanceof Set ? [...one] : one));
  if (plainly(expected) !== plainly(actual)) failures.push(`${what}: expected ${plainly(expected)}, actual ${plainly(actual)}`);
}

function numbers() {
  const reader = new NumberReader(Uint8Array.from([0, 127, 0x80, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 1, 2, 3]));
  same("numbers of 1, 1, 2 and 8 bytes", [0, 127, 128, 2 ** 53 - 1], [reader.next(), reader.next(), reader.next(), reader.next()]);
  same("zigzag", [0, -1, 1, -2], [reader.signed(), reader.signed(), reader.signed(), reader.signed()]);
  same("the end", true, reader.isAtEnd);
}

function paths() {
  same("of a long critical path the page knows what it lacks", [4, [5, 4]], (({least, list}) => [least, list.map((one) => one.duration)])(decodeCritical(Uint8Array.from([3, 2, 0, 20, 5, 1, 9, 4]))));
  same("of another one nothing is missing", 0, decodeCritical(Uint8Array.from([1, 1, 0, 20, 5])).least);
}

function texts() {
  same("times", ["0", "1\u00a0ns", "1.50\u00a0µs", "12.3\u00a0ms", "123\u00a0s"], [0, 1, 1500, 12345678, 123e9].map(formatTime));
  same("a time beyond 2^53 ns", "9223372037\u00a0s", formatTime(9223372036854775807n));
  same("ticks have the digits that tell them apart", ["636.5\u00a0ms", "637.0\u00a0ms", "0", "2\u00a0s"], [formatTick(636.5e6, 5e5), formatTick(637e6, 5e5), formatTick(0, 1), formatTick(2e9, 1e9)]);
  same("bytes", ["0", "999\u00a0B", "1.00\u00a0kB", "4.10\u00a0kB"], [0, 999, 1000, 4096].map(formatBytes));
  same("counts", ["0", "999", "1,234,567", "-1,000"], [0, 999, 1234567, -1000].map(formatCount));
  same("a count with its noun", ["0 calls", "1 call", "1 call", "1,234 calls"], [0, 1, 1n, 1234n].map((n) => countOf(n, "call")));
  same("percent", "59.1\u00a0%", formatPercent(5906));
  same("exact decimals", ["0.000000001", "-0.05", "12", "9223372036.854775807"], [exactDecimal("1", 9), exactDecimal("-5", 2), exactDecimal("12", 0), exactDecimal("9223372036854775807", 9)]);
  same("nor in what is read aloud", "a\ufffdb", make("td", {title: "a\u202eb"}).getAttribute("title"));
  same("nothing is hidden in a text", "a\ufffdb\ufffd\ufffdc\n", plain("a\u202eb\u001b\u200bc\n"));
}

function windows() {
  const shown = new TimeWindow(1000);
  shown.zoom(0.5, 250);
  same("a zoom keeps the time under the pointer", [125, 625], [shown.begin, shown.end]);
  shown.move(-500);
  same("a window does not leave the run", [0, 500], [shown.begin, shown.end]);
  shown.set(990, 991);
  same("a window has a least size", [980, 1000], [shown.begin, shown.end]);
  shown.zoom(1e9, 990);
  same("a window has a greatest size", [0, 1000], [shown.begin, shown.end]);
  same("ticks are round", [0, 20, 40, 60, 80, 100], ticks(0, 100, 5));
  same("no tick outside", [200, 400], ticks(150, 450, 2));
}

const LANES = [{rank: 0, thread: 0, group: 0, depths: 2}, {rank: 0, thread: 1, group: 0, depths: 1}, {rank: 1, thread: 0, group: 1, depths: 1},
               {rank: 2, thread: 0, group: 1, depths: 1}, {rank: 3, thread: 0, group: 1, depths: 1}];

function lanes() {
  const shown = () => false, hidden = () => true;
  const all = layoutLanes(LANES, foldLanes(LANES, false, shown), 20), folded = layoutLanes(LANES, foldLanes(LANES, true, shown), 20);
  same("all lanes are shown", [0, 1, 2, 3, 4], all.shown);
  same("one lane for each group, and further threads", [0, 1, 2], folded.shown);
  same("the group says how many it hides", 2, folded.places[2].hides);
  same("a hidden lane has the place of its group", true, folded.places[4] === folded.places[2]);
  same("the first lane begins below the axis, its thread after its two depths, then the next rank", [20, 20 + 28 + 3, 20 + 28 + 3 + 14 + 5], [0, 1, 2].map((lane) => all.places[lane].y));
  const alone = layoutLanes(LANES, foldLanes(LANES, true, hidden), 20);
  same("without threads", [[0, 2], 1, 0], [alone.shown, alone.places[1].threads, alone.places[2].threads]);
  const turned = [LANES[0], {...LANES[1], thread: 2}, LANES[1], LANES[2]];
  same("threads stand by their numbers", [0, 2, 1, 3], layoutLanes(turned, foldLanes(turned, false, shown), 20).shown);
  const teams = (n) => Array.from({length: n}, (_, thread) => ({rank: 0, thread, group: 0, depths: 2}));
  same("few threads are shown at first", [true, false], [31, 32].map((n) => threadsFit(teams(n))));
  const many = Array.from({length: 2000}, (_, rank) => ({rank, thread: 0, group: rank, depths: 5}));
  const thin = layoutLanes(many, foldLanes(many, false, shown), 20);
  same("very many lanes are one pixel each", [true, 1, 1], [thin.thin, thin.places[7].height, thin.places[8].y - thin.places[7].y]);
}

function cells() {
  same("rows are high where there is room, and a screen has any number of them", [96, 360, 512, 540], [4, 120, 512, 100000].map((rows) => heightOfRows(rows, 1000, false)));
  same("a square fits into the window", [72, 300], [[3, 1000], [512, 300]].map(([rows, width]) => heightOfRows(rows, width, true)));
  same("names leave out powers of two", [1, 1, 16, 4], [stepOfNames(24, 12), stepOfNames(12, 12), stepOfNames(1, 12), stepOfNames(15, 46)]);
}

function bars(list) {
  const made = {n: list.length};
  for (const name of ["begin", "duration", "site", "row", "waiting", "bytes", "count", "busy"]) made[name] = Float64Array.from(list, (one) => one[name] || 0);
  return made;
}

function pictures() {
  const coloring = {packed: Uint32Array.from([0xff0000ff, 0xff00ff00]), at: (of, i) => of.site[i]};
  const raster = new Raster(10, 2, coloring, 0xffffffff);
  raster.draw(1, bars([{begin: 0, duration: 20, site: 0}, {begin: 50, duration: 10, site: 1}, {begin: 300, duration: 5, site: 1}]), false, {begin: 0, end: 100}, 100, null);
  same("pixels of the first row", new Array(10).fill(0xffffffff), [...raster.pixels.slice(0, 10)]);
  same("pixels of the second row", [0xff0000ff, 0xff0000ff, -1, -1, -1, 0xff00ff00, -1, -1, -1, -1].map((one) => (one === -1 ? 0xffffffff : one)), [...raster.pixels.slice(10)]);
  const half = new Raster(2, 1, coloring, 0xffffffff);
  half.draw(0, bars([{begin: 0, duration: 100, busy: 50, count: 2, site: 1}]), true, {begin: 0, end: 100}, 100, null);
  same("operations with gaps are paler", mixPacked(0xffffffff, 0xff00ff00, 5 / 8), half.pixels[0]);
  half.draw(0, bars([{begin: 0, duration: 100, site: 0}]), false, {begin: 0, end: 100}, 100, new Set([1]));
  same("what is not wanted is not drawn", mixPacked(0xffffffff, 0xff00ff00, 5 / 8), half.pixels[0]);
  const waits = new Raster(8, 3, coloring, 0xffffffff), striped = (row) => [...waits.pixels.slice(8 * row, 8 * row + 8)].map((one) => Number(one !== 0xff0000ff));
  ["begin", "end", "behind"].forEach((at, row) => waits.draw(row, bars([{duration: 80, waiting: 40}]), false, {begin: 0, end: 80}, 80, null, [at]));
  same("stripes are where it waits", [[1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]], [0, 1, 2].map(striped));
  same("where regions of OpenMP wait", ["begin", "end", "behind"], [{level: "app", name: "barrier"}, {level: "openmp", name: "barrier"}, {level: "openmp", name: "implicit task"}].map(waitsAt));
  same("first place not below", [0, 1, 1, 3], [0, 1, 2, 9].map((limit) => lowerBound([0, 2, 5], 3, limit)));
}

function tables() {
  const table = {columns: [{name: "name", type: "text"}, {name: "time", type: "time"}, {name: "share", type: "percent"}, {name: "bar", type: "bar"}],
                 rows: [['a "b"', "1500000000", "5000", "5000"], ["c,d", "9007199254740993", "1", "1"]]};
  same("CSV", 'name,time,share\n"a ""b""",1.500000000,50.00\n"c,d",9007199.254740993,0.01\n', tableAsCsv(table, table.rows));
  same("numbers beyond 2^53 are sorted exactly", ["3", "2"], sortRows([["x", "9007199254740992"], ["y", "9007199254740993"]], "time", 1, true).map((row) => row[1].slice(-1)));
  same("a number that is not known", ["unknown", "", "0.0\u00a0%"], [cellText("percent", ""), exactCell("percent", ""), cellText("percent", "0")]);
  same("it is below all", ["", "0", "7"], sortRows([["7"], [""], ["0"]], "percent", 0, false).map((row) => row[0]));
  same("a text that is empty", "", cellText("text", ""));
}

function trees() {
  const nodes = [{number: 0, parent: 0}, {number: 1, parent: 0}, {number: 2, parent: 1}];
  const rank = new Map([[1, {calls: 2, exclusive: 4, waiting: 0, classes: []}], [2, {calls: 3, exclusive: 9, waiting: 7, classes: [0, 7]}]]);
  const head = {classes: ["late sender", "wait at barrier", "late post"], sites: [{level: "app"}, {level: "mpi"}]};
  nodes[0].site = -3, nodes[1].site = 0, nodes[2].site = 1;
  const metrics = Object.fromEntries(makeMetrics(head, {nodes, ranks: [rank]}, []).map((one) => [one.name, one]));
  const sums = (name) => sumsOfRank({nodes}, rank, metrics[name]);
  same("metrics of the classes that there are", ["class-0", "class-1"], Object.keys(metrics).filter((name) => name.startsWith("class")));
  same("waiting of callees is added, up to the program", [7n, 7n, 7n], sums("waiting"));
  same("time in MPI, and without waiting", [[9n, 9n, 9n], [2n, 2n, 2n]], [sums("mpi"), sums("transfer")]);
  same("computation is what is not MPI", [4n, 4n, 0n], sums("computation"));
  same("calls are those of the path alone", [0n, 2n, 3n], sums("calls"));
  const sites = [{level: "mpi", class: "", name: "send", file: "a.c", line: 3, kind: "send"}, {level: "oops", class: "Grid", name: "sum", file: "b.c", line: 4, kind: "local"}];
  same("all words must be there", [[0], [1], [], [0]], ["SEND a.c", "grid::sum", "send b.c", "a.c:3"].map((words) => findSites(sites, words)));
  const found = sumBySite({nodes: [{number: 0, site: -2}, {number: 1, site: 1, longest: {duration: 4}}, {number: 2, site: 1, longest: {duration: 9}}],
                          ranks: [new Map([[1, {calls: 1, inclusive: 4}]]), new Map([[2, {calls: 2, inclusive: Number.MAX_SAFE_INTEGER}]])]}, 2);
  same("sums of a site over ranks and paths, also beyond 2^53", [3n, 9007199254740995n, 9], [found[1].calls, found[1].time, found[1].longest.duration]);
}

function addresses() {
  const state = {t: "1,2", q: "a&b=c d", fold: ""};
  same("an address and back", {t: "1,2", q: "a&b=c d"}, parseAddress("#" + formatAddress(state)));
  same("commas stay readable", "t=1,2", formatAddress({t: "1,2"}));
}

/** A store without a file: one level, whose tiles are given by kind. */
function storeOf(tiles) {
  const store = new Store({run: {begin: "0", end: "100"}, details: [{width: "1", tile: "50", tiles: 2, merged: 0}]});
  store.tiles = (kind) => tiles[kind];
  store.tileNow = async (kind, level, i) => tiles[kind][i];
  return store;
}

async function searches() {
  const lengths = Array.from({length: 50}, (_, i) => (i * 7) % 50), store = storeOf({tile: [0, 1].map((tile) =>
    [[{exact: bars(lengths.slice(tile * 25, tile * 25 + 25).map((duration, i) => ({begin: tile * 25 + i, duration, site: 3})))}]])});
  const found = await store.instances(new Set([3]), 4);
  same("the longest are found, also those of the last tile", [46, 47, 48, 49], found.map((one) => one.duration).sort());
  same("by time", found.map((one) => one.begin).sort((a, b) => a - b), found.map((one) => one.begin));
  store.know(new Map([[77, {row: 77}]]), {total: 0, list: []});
  same("a link leads to an operation that the page knows, also if no level holds it alone", [77, null], [(await store.locate(0, 77, 0)).row, await store.locate(0, 78, 0)]);
  same("others are not found", [], await store.instances(new Set([4]), 4));
}

function hidden() {
  const arrow = (begin, duration) => ({begin, duration});
  const seen = (begin, end, tiles) => {
    const view = {store: storeOf({arrows: tiles}), window: {begin, end}, layout: {shown: [0]}, ask() {}};
    const {list, total, hidden: n} = Painter.prototype.visible.call({view}, "arrows", 0);
    return [list.length, total, n];
  };
  const tile = {total: 3, hidden: 0, list: [arrow(1, 1), arrow(20, 1), arrow(40, 1)]};
  same("of all that there are the window has one", [1, 1, 0], seen(0, 10, [tile]));
  same("of those that are missing it has its share", [1, 3, 10], seen(0, 10, [{...tile, total: 13, hidden: 10}]));
}

(async () => {
  for (const test of [numbers, paths, texts, windows, lanes, cells, pictures, tables, trees, addresses, searches, hidden]) await test();
  window.answer = {done, failures};
})();
