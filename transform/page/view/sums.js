// Traces with sums over calls: profiles, and traces that went over to sums at a limit.
import {commandLine, make} from "./dom.js";

const OF_SINGLE_OPERATIONS = ["heat-part", "timeline-part", "tree-part", "iterations-part"];
const NAMES = "What ranks do over time, the timeline, the call tree and iterations";

function leaveOut(part) {
  document.getElementById(part).hidden = true;
  document.querySelector(`nav a[href="#${part}"]`).hidden = true;
}

/** Leave out what needs single operations if there are none, and say so. */
export function tellOfSums({run}) {
  if (!run.summed) return;
  const alone = run.summed === run.operations;
  if (alone) OF_SINGLE_OPERATIONS.forEach(leaveOut);
  const text = alone ? [`These traces are profiles: sums over calls. ${NAMES} need single operations (`, commandLine("HIERA_MODE=trace"), "). The call tree with its sums is the ",
                        make("a", {href: "#measure=profile"}, "table profile"), "."]
                     : [`From its recording limit on, a rank has sums over calls. ${NAMES} show the single operations before it; the summary and the tables say what they have.`];
  document.querySelector("#overview .facts").after(make("p", {class: "sums note"}, ...text));
}
