// The start of the page.
import {overview} from "./overview.js";
import {jsonBlock, Store} from "./store.js";
import {showTables} from "./tables.js";
import {Timeline} from "./timeline.js";

async function start() {
  const head = await jsonBlock("head");
  const tables = await jsonBlock("tables");
  overview(head, tables);
  showTables(tables);
  const timeline = new Timeline(new Store(head), document.getElementById("timeline"));
  document.documentElement.dataset.ready = "yes";
  window.hiera = {timeline}; // for tests, and for the curious
}

start().catch((error) => {
  document.getElementById("overview").textContent = `The page cannot be shown: ${error.message}`;
  throw error;
});
