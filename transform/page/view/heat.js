// Two pictures made of cells: what each rank does over the run, and who sends how much to whom.
import {Cells, stepOfNames} from "./cells.js";
import {make} from "./dom.js";
import {LABELS} from "./paint.js";
import {ticks} from "./scale.js";
import {formatBytes, formatCount, formatTick, formatTime} from "./units.js";

const RANK_ROOM = 46; // pixels for a name of a rank

const DOINGS = ["useful", "MPI", "files", "waiting"];

/** What each rank does over the run. @param heat  of decodeHeat; @param past  why calls are missing, so that the efficiency is unknown, or "";
 * @param threads  which threads were not recorded, so that it is that of the MPI threads, or ""; @param queued  how long threads waited for a processor, or "";
 * @param show  shows a span of time in the timeline */
export function showHeat(place, ranks, heat, {past, threads, queued}, show) {
  const n = heat.edges.length - 1;
  if (n < 1) return place.replaceChildren(make("p", {}, "The run has no length."));
  const width = (bin) => heat.edges[bin + 1] - heat.edges[bin];
  const select = make("select", {}, DOINGS.map((name, i) => make("option", {value: i}, name)));
  const nThreads = heat.threads.reduce((sum, n) => sum + n, 0);
  const efficiency = (bin) => ranks.reduce((sum, _, i) => sum + heat.threads[i] * heat.sums[i][0][bin], 0) / width(bin) / nThreads;
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  const times = (bin) => `${formatTime(heat.edges[bin])} to ${formatTime(heat.edges[bin + 1])}`;
  const columnAt = (time) => { const bin = Math.min(n - 1, Math.max(0, heat.edges.findIndex((edge) => edge > time) - 1)); return bin + (time - heat.edges[bin]) / width(bin); };
  const marks = (plot) => { const times = ticks(heat.edges[0], heat.edges[n], plot / 110); return times.map((time) => [columnAt(time), formatTick(Math.round(time), times[1] - times[0] || heat.edges[n])]); };
  const cells = new Cells("What each rank does over the run: a row for each rank, the time from left to right", {
    columns: n, rows: ranks.length, gutter: LABELS, marks, nameOfRow: (i) => `P${ranks[i]}`, ends: ["none of the time", "all of the time"],
    share: (bin, i) => heat.sums[i][select.value][bin] / width(bin),
    say: (bin, i) => `P${ranks[i]}${heat.threads[i] > 1 ? ` (${heat.threads[i]} threads)` : ""}, ${times(bin)}: ` + DOINGS.map((name, k) => `${name} ${formatTime(heat.sums[i][k][bin])}`).join(", ") +
                     `; parallel efficiency of ${threads ? "the MPI threads" : nThreads > ranks.length ? "all threads" : "all ranks"} ${past ? "unknown" : percent(efficiency(bin))}`,
  }, (bin) => show(heat.edges[bin], width(bin)));
  const bars = make("div", {class: "columns", style: `margin-left:${LABELS}px`, role: "img", "aria-label": "Parallel efficiency over the run; the cells above have the numbers"},
                    Array.from({length: n}, (_, bin) => make("i", {style: `height:${(100 * Math.min(1, efficiency(bin))).toFixed(1)}%`, title: `${times(bin)}: ${percent(efficiency(bin))}`})));
  select.addEventListener("change", () => cells.draw(true));
  place.replaceChildren(make("p", {class: "tools"}, make("label", {}, "share of ", select)), cells.element,
                        ...(past ? [make("p", {class: "note"}, `parallel efficiency: unknown: ${past}`)] : [make("p", {class: "note"}, threads ? `parallel efficiency of the MPI threads, 0 to 100 %: ${threads}` : "parallel efficiency, 0 to 100 %"), bars]),
                        ...(queued ? [make("p", {class: "note"}, queued)] : []));
  cells.draw(true);
  return cells;
}

const FLOWS = [["messages", "messages", formatCount], ["bytes", "bytes", formatBytes], ["time", "time in sends and receives", formatTime]];

/** By sender and receiver, kinds together: Map of "sender receiver" to {messages, bytes, time}, as BigInt. */
export function sumFlows(flows) {
  const sums = new Map();
  for (const {sender, receiver, messages, bytes, send, receive} of flows) {
    const key = `${sender} ${receiver}`, sum = sums.get(key) || {messages: 0n, bytes: 0n, time: 0n};
    sums.set(key, {messages: sum.messages + BigInt(messages), bytes: sum.bytes + BigInt(bytes), time: sum.time + BigInt(send) + BigInt(receive)});
  }
  return sums;
}

/** Who sends how much to whom. */
export function showMatrix(place, flows) {
  if (!flows.length) return place.replaceChildren(make("p", {}, "No messages between ranks."));
  const sums = sumFlows(flows), ranks = [...new Set(flows.flatMap((flow) => [flow.sender, flow.receiver]))].sort((a, b) => a - b);
  const select = make("select", {}, FLOWS.map(([name, text]) => make("option", {value: name}, text)));
  const of = (column, row) => sums.get(`${ranks[row]} ${ranks[column]}`);
  const most = () => [...sums.values()].reduce((a, sum) => (sum[select.value] > a ? sum[select.value] : a), 1n);
  let greatest = most();
  const nameOf = (i) => `P${ranks[i]}`;
  const marks = (plot) => { const step = stepOfNames(plot / ranks.length, RANK_ROOM); return ranks.map((_, i) => [i + 0.5, nameOf(i)]).filter((_, i) => i % step === 0); };
  const cells = new Cells("Who sends to whom: a row for each sender, a column for each receiver", {
    columns: ranks.length, rows: ranks.length, gutter: RANK_ROOM, marks, nameOfRow: nameOf, square: true, ends: ["little", "much, on a logarithmic scale"],
    share: (column, row) => { const sum = of(column, row); return sum ? 0.08 + 0.92 * Math.log(1 + Number(sum[select.value])) / Math.log(1 + Number(greatest)) : -1; },
    say: (column, row) => { const sum = of(column, row); return `P${ranks[row]} to P${ranks[column]}: ` + (sum ? FLOWS.map(([name, text, format]) => `${format(sum[name])} ${text}`.replace(/(B|bytes) bytes/, "$1")).join(", ") : "nothing"); },
  }, () => {});
  select.addEventListener("change", () => { greatest = most(); cells.draw(true); });
  place.replaceChildren(make("p", {class: "tools"}, make("label", {}, "shaded by ", select)), cells.element);
  cells.draw(true);
  return cells;
}
