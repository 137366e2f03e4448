// The start of the page.
import {Address, parseAddress} from "./address.js";
import {Card} from "./card.js";
import {
    addCounted,
    decodeArrows,
    decodeCritical,
    decodeHeat,
    decodeIterations,
    decodeMatrix,
    decodeOperations,
    decodePlaces,
    decodeTree,
    decodeWaits
} from "./decode.js";
import {showHeat, showMatrix} from "./heat.js";
import {showHistograms} from "./histograms.js";
import {showIterations} from "./iterations.js";
import {showLoops} from "./loops.js";
import {Minimap} from "./minimap.js";
import {linkSentences, linkWaits, overview} from "./overview.js";
import {showRules} from "./rules.js";
import {showSamples} from "./samples.js";
import {Search} from "./search.js";
import {renewAfter} from "./server.js";
import {block, jsonBlock, Store} from "./store.js";
import {tellOfSums} from "./sums.js";
import {openTable, openTables, showTables, tableAsCsv} from "./tables.js";
import {Timeline} from "./timeline.js";
import {showTree} from "./tree.js";
import {showWorst, worstOf} from "./worst.js";

/** What is known of operations by row: of some, if the run has too many; then a server has the others. `argumentsOf` may be a promise. */
async function readDetails(store) {
  const {isWhole, rows} = decodeOperations(await block("operations"), await jsonBlock("arguments"));
  store.know(decodePlaces(await block("places")), decodeArrows(await block("messages"), 0, 0));
  const ask = async (row) => JSON.parse(new TextDecoder().decode(await store.bytes(`operation-${row}`)));
  const isElsewhere = (row) => store.head.served && row >= 0 && !isWhole;
  return {isKnown: isWhole, has: (row) => isWhole || store.head.served || rows.has(row),
          argumentsOf: (row) => (isElsewhere(row) ? ask(row).catch(() => []) : rows.get(row) || [])};
}

function byRow(list) {
  const waits = new Map();
  for (const wait of list) waits.set(wait.at.row, [...(waits.get(wait.at.row) || []), wait]);
  return waits;
}

/** The state of the page as the address has it. */
function makeAddress(timeline, tree, search) {
  const read = () => ({
    t: timeline.window.span < timeline.store.length ? `${Math.round(timeline.window.begin)},${Math.round(timeline.window.end)}` : "",
    at: timeline.chosen && !timeline.chosen.count ? [timeline.chosen.lane, timeline.chosen.row, timeline.chosen.begin].join() : "",
    q: search.words, colour: timeline.mode === "level" ? "" : timeline.mode, fold: timeline.canFold ? Number(timeline.folded) : "",
    threads: timeline.hasThreads.size ? [Number(timeline.threadsShown), ...timeline.turned].join() : "",
    metric: tree.metric === "inclusive" ? "" : tree.metric, node: tree.chosen.number || "", measure: openTables().join(),
  });
  const show = async (state) => {
    const times = (state.t || "").split(",").map(Number);
    if (times.length === 2 && times.every(Number.isFinite)) timeline.window.set(...times);
    if (state.colour) timeline.setMode(state.colour);
    if (state.fold && timeline.canFold) timeline.fold(state.fold === "1");
    if (state.threads) {
      const [shown, ...turned] = state.threads.split(",").map(Number);
      timeline.showThreads(shown === 1);
      timeline.turnThreads(new Set(turned));
    }
    if (state.q) await search.set(state.q);
    if (state.metric || state.node) tree.set(state.metric || "inclusive", Number(state.node || 0));
    const [lane, row, begin] = (state.at || "").split(",").map(Number);
    if (state.at && timeline.head.lanes[lane]) timeline.choose(await timeline.store.locate(lane, row, begin));
    for (const name of (state.measure || "").split(",").filter(Boolean)) openTable(name);
    timeline.ask();
  };
  return new Address(read, show);
}

async function start() {
  const head = await jsonBlock("head"), tables = await jsonBlock("tables");
  let address = null;
  const changed = () => address && address.write();
  overview(head, tables);
  tellOfSums(head);
  const waits = decodeWaits(await block("waits"), head.classes.length), store = new Store(head), details = await readDetails(store);
  let minimap = null;
  const timeline = new Timeline(store, document.getElementById("timeline"), () => { if (minimap) minimap.draw(); changed(); });
  minimap = new Minimap(timeline);
  timeline.critical = decodeCritical(await block("critical"));
  const card = new Card(timeline, document.getElementById("operation"), byRow(waits.list), head.classes, details,
                        await jsonBlock("hot"));
  const linkOperation = (text, row) => (store.places.has(row) ? card.link(text, store.places.get(row)) : text);
  linkSentences(linkOperation);
  showSamples(tables.find((table) => table.name === "samples --by line"));
  showRules(tables.find((table) => table.name === "assertions"), linkOperation);
  linkWaits(waits.list.slice(0, 3), (wait) => card.nameOfWait(wait), (text, place) => card.link(text, place));
  const worst = await jsonBlock("worst"), linkTo = (row, value) => { const place = store.places.get(row); return card.link(`${value} in ${card.nameAt(place)}`, place); };
  showTables(tables, changed, (title) => showWorst(worstOf(worst, title), linkTo));
  const ranks = [...new Set(head.lanes.map((lane) => lane.rank))], flows = decodeMatrix(await block("matrix"));
  const heat = decodeHeat(await block("heat"), ranks.length);
  showHeat(document.getElementById("heat"), ranks, heat, head.run, (begin, duration) => timeline.showSpan(begin, duration));
  showMatrix(document.getElementById("matrix"), flows);
  showLoops(tables.find((table) => table.name === "loops"));
  showHistograms(document.getElementById("histograms"), tables);
  showIterations(document.getElementById("iterations"), decodeIterations(await block("iterations")), (start, duration) => timeline.showSpan(start - Number(head.run.begin), duration));
  const paths = decodeTree(await block("tree"), ranks.length), counted = await jsonBlock("counted");
  addCounted(paths, counted);
  const tree = showTree(head, paths, counted.counters, (place) => timeline.visit(place), changed);
  const search = new Search(timeline, paths, waits, document.getElementById("search"));
  address = makeAddress(timeline, tree, search);
  if (location.hash.includes("=")) await address.show(parseAddress(location.hash));
  timeline.ask();
  if (head.renew) renewAfter(head.renew);
  // For tests, and for the curious.
  window.hiera = {timeline, tree, heat, flows, search, waits, worst, details, tableAsCsv: (name) => { const table = tables.find((one) => one.name === name); return tableAsCsv(table, table.rows); }};
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  document.getElementById("overview").textContent = `The page cannot be shown: ${error.message}`;
  throw error;
});
