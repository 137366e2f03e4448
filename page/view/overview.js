// The first screen: what ran, and the sentences of `summary`.
import {make, bar} from "./dom.js";
import {formatCount, formatTime} from "./units.js";

function facts(head) {
  const run = head.run;
  const ranks = new Set(head.lanes.map((lane) => lane.rank)).size;
  const hosts = new Set(head.lanes.map((lane) => lane.host)).size;
  const list = [["run time", formatTime(BigInt(run.end) - BigInt(run.begin))],
                ["ranks", run.size > ranks ? `${ranks} of ${run.size}` : formatCount(ranks)],
                ["hosts", formatCount(hosts)], ["operations", formatCount(run.operations)],
                ["messages", formatCount(run.messages)], ["collectives", formatCount(run.collectives)]];
  return make("dl", {class: "facts"}, list.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
}

/** The table `summary` as sections of sentences. */
export function sentences(table) {
  const at = Object.fromEntries(table.columns.map((column, i) => [column.name, i]));
  const section = make("section", {id: "summary", "aria-label": "Summary"});
  let topic = null, list = null, more = null;
  for (const row of table.rows) {
    if (row[at.topic] !== topic) {
      topic = row[at.topic];
      list = make("ul", {});
      more = make("p", {class: "more"});
      section.append(make("h2", {}, topic), list, more);
    }
    const share = Number(row[at.bar]);
    list.append(make("li", {}, share >= 0 ? bar(share / 10000) : null, make("span", {}, row[at.sentence])));
    if (row[at.more]) more.replaceChildren("More: ", make("code", {}, row[at.more]));
  }
  return section;
}

/** What is wrong with the traces. */
function warnings(head) {
  if (!head.findings.length) return null;
  return make("details", {class: "warnings"}, make("summary", {}, `${formatCount(head.findings.length)} remarks on the traces`),
              make("ul", {}, head.findings.slice(0, 200).map((text) => make("li", {}, text))));
}

export function overview(head, tables) {
  const summary = tables.find((table) => table.name === "summary");
  document.getElementById("title").textContent = head.run.application || "trace";
  document.getElementById("overview").replaceChildren(facts(head), warnings(head) || "", summary ? sentences(summary) : "");
}
