// The first screen: what ran, and the sentences of `summary`.
import {make, bar, commandLine} from "./dom.js";
import {countOf, formatCount, formatTime} from "./units.js";

const MOST_REMARKS = 200;

/** The run time is from the first MPI_Init to the last MPI_Finalize, as for the measures: {begin, end} of that. */
export function runTime({run, lanes}) {
  const least = (values) => values.reduce((a, b) => (a < b ? a : b)), most = (values) => values.reduce((a, b) => (a > b ? a : b));
  const begin = most([least(lanes.map(({init}) => BigInt(init))), BigInt(run.begin)]);
  return {begin, end: most([begin, least([most(lanes.map(({finalize}) => BigInt(finalize))), BigInt(run.end)])])};
}

/** The timeline shows operations before and after that, too. */
function beyond({begin, end}, run) {
  const before = begin - BigInt(run.begin), after = BigInt(run.end) - end;
  if (before + after <= 0n) return null;
  const parts = [before > 0n ? `up to ${formatTime(before)} before that` : "", after > 0n ? `up to ${formatTime(after)} after it` : ""].filter(Boolean);
  return make("p", {class: "beyond note"}, `The run time is from the first MPI_Init to the last MPI_Finalize. The timeline shows ${formatTime(BigInt(run.end) - BigInt(run.begin))}: it has operations ${parts.join(", and ")}.`);
}

function facts(head) {
  const run = head.run;
  const ranks = new Set(head.lanes.map((lane) => lane.rank)).size;
  const hosts = new Set(head.lanes.map((lane) => lane.host)).size;
  const time = runTime(head);
  const list = [["run time", formatTime(time.end - time.begin)],
                ["ranks", run.size > ranks ? `${ranks} of ${run.size}` : formatCount(ranks)],
                ["hosts", formatCount(hosts)], ["operations", formatCount(run.operations)],
                ...(run.summed ? [] : [["messages", formatCount(run.messages)], ["collectives", formatCount(run.collectives)]])];
  return [make("dl", {class: "facts"}, list.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)))), beyond(time, run) || "",
          head.renew ? make("p", {class: "note", id: "renew"}, `The job still runs. A new page comes when you have not touched this one for ${head.renew} s.`) : ""];
}

/** The command that shows more; of the measures whose tables the page has, links to these. */
function moreOf(command, names) {
  const found = [...command.matchAll(/--measure ([\w-]+)/g)].map((match) => match[1]).filter((name) => names.has(name));
  return [...found.flatMap((name) => [make("a", {href: `#measure=${name}`}, `table ${name}`), " or "]), commandLine(`hiera-transform ${command}`)];
}

/** The table `summary` as sections of sentences; those that point to an operation get a link. @param names  of all tables */
export function sentences(table, names) {
  const at = Object.fromEntries(table.columns.map((column, i) => [column.name, i]));
  const section = make("section", {id: "summary", "aria-label": "Summary"});
  let topic = null, list = null, more = null;
  const operations = new Map(table.operations);
  table.rows.forEach((row, i) => {
    if (row[at.topic] !== topic) {
      topic = row[at.topic];
      list = make("ul", {});
      more = make("p", {class: "more"});
      section.append(make("div", {class: "topic", "data-topic": topic}, make("h2", {}, topic), list, more));
    }
    const share = Number(row[at.bar]);
    list.append(make("li", {}, share >= 0 ? bar(share / 10000) : null, make("span", {"data-operation": operations.get(i) ?? null}, row[at.sentence])));
    if (row[at.more]) more.replaceChildren("More: ", ...moreOf(row[at.more], names));
  });
  return section;
}

/** What is wrong with the traces. */
function warnings(head) {
  const more = head.findings.length - MOST_REMARKS;
  if (!head.findings.length) return null;
  return make("details", {class: "warnings"}, make("summary", {}, `${countOf(head.findings.length, "remark")} on the traces`),
              make("ul", {}, head.findings.slice(0, MOST_REMARKS).map((text) => make("li", {}, text))),
              more > 0 ? make("p", {class: "note"}, `and ${formatCount(more)} more; all: `, commandLine(`hiera-transform ${head.run.command} --validate`)) : null);
}

/** Make links of the sentences that point to operations. @param link  of (text, row) a link into the timeline */
export function linkSentences(link) {
  for (const span of document.querySelectorAll("#summary [data-operation]")) span.replaceChildren(link(span.textContent, Number(span.dataset.operation)));
}

/** Behind the sentences on waits: the longest ones, each a link to its place in the timeline.
 * @param link  of (text, place) a button */
export function linkWaits(list, nameOfWait, link) {
  const topic = document.querySelector("#summary [data-topic=Waits]");
  if (!topic || !list.length) return;
  topic.append(make("p", {class: "more"}, "The longest: ", list.flatMap((wait, i) => [i ? ", " : "", link(nameOfWait(wait), wait.at)])));
}

export function overview(head, tables) {
  const summary = tables.find((table) => table.name === "summary");
  document.getElementById("title").textContent = head.run.application || "trace";
  const part = head.run.part ? make("p", {class: "part"}, "This page shows a part of the run: ", commandLine(head.run.part), ". All numbers are those of this part.") : "";
  document.getElementById("overview").replaceChildren(...facts(head), part, warnings(head) || "", summary ? sentences(summary, new Set(tables.map((one) => one.name))) : "");
}
