// The start of the page.
import {overview} from "./overview.js";
import {block, decodeCritical, decodeTree, jsonBlock, Store} from "./store.js";
import {showTables, tableAsCsv} from "./tables.js";
import {Timeline} from "./timeline.js";
import {showTree} from "./tree.js";

async function start() {
  const head = await jsonBlock("head");
  const tables = await jsonBlock("tables");
  overview(head, tables);
  showTables(tables);
  const tree = showTree(head, decodeTree(await block("tree"), new Set(head.lanes.map((lane) => lane.rank)).size));
  const timeline = new Timeline(new Store(head), document.getElementById("timeline"));
  timeline.critical = decodeCritical(await block("critical"));
  timeline.ask();
  document.documentElement.dataset.ready = "yes";
  // For tests, and for the curious.
  window.hiera = {timeline, tree, tableAsCsv: (name) => { const table = tables.find((one) => one.name === name); return tableAsCsv(table, table.rows); }};
}

start().catch((error) => {
  document.getElementById("overview").textContent = `The page cannot be shown: ${error.message}`;
  throw error;
});
