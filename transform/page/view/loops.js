// Functions whose times are known exactly, and their loops: a tree of the table `loops`, in its order.
import {bar, make} from "./dom.js";
import {STEP} from "./tables.js";
import {countOf, formatCount, formatPercent, formatTime} from "./units.js";

const STATES = {
    "true" : "a bottleneck",
    "false" : "none",
    "unknown" : "too short to say",
    "never evaluated" : "left alone"
};

/** Rows as a tree: [{of: a function from a column's name to the cell, step, children}]. */
export function loopTree(table)
{
    const at = Object.fromEntries(table.columns.map(({name}, i) => [name, i])), roots = [], around = [];
    for (const row of table.rows) {
        const steps = row[at.path].split(STEP),
              node = {of : (name) => row[at[name]], step : steps.at(-1), children : []};
        around.length = steps.length - 1;
        (around.length ? around.at(-1).children : roots).push(node);
        around.push(node);
    }
    return roots;
}

const classOf = (state) => `state-${state.replaceAll(" ", "-")}`;

function loopNote(of)
{
    if (of("reason"))
        return of("reason");
    const range = of("executions") === "0" ? "" : ` from ${formatTime(of("min"))} to ${formatTime(of("max"))}`,
          parts = [ countOf(of("executions"), "execution") + range ];
    if (of("iterations") !== "0")
        parts.push(`${formatCount(of("iterations"))} iterations`);
    if (of("open") !== "0")
        parts.push(`${formatCount(of("open"))} not ended`);
    if (of("slowest-thread")) {
        const [rank, thread] = of("slowest-thread").split(":");
        parts.push(`${formatCount(of("threads"))} threads, imbalance ${formatPercent(of("thread-imbalance"))}` +
                   (thread === "?" ? "" : `: thread ${thread} of rank ${rank} takes longest`));
    }
    if (of("rank-imbalance") !== "0")
        parts.push(`imbalance of ranks ${formatPercent(of("rank-imbalance"))}: rank ${of("slowest")} takes longest`);
    return parts.join(", ");
}

function loopLine({of, step, children})
{
    const state = of("state"), isTimed = !of("reason");
    return [
        make("span", {class : "name"},
             make("span", {class : state === "true" ? "box" : "box quiet", "aria-hidden" : "true"},
                  children.length ? null : " "),
             step, make("span", {class : "note"}, loopNote(of))),
        make("span", {class : "number"}, isTimed ? formatPercent(of("share")) : ""),
        isTimed ? bar(Number(of("share")) / 10000) : make("span", {}),
        make("span", {class : "number"}, isTimed ? formatTime(of("time")) : ""),
        make("span", {class : `state ${classOf(state)}`}, state)
    ];
}

/** What is a bottleneck is open, so that one sees where the time is. */
function loopItem(node)
{
    if (!node.children.length)
        return make("li", {}, make("div", {class : "line"}, loopLine(node)));
    return make("li", {},
                make("details", {open : node.of("state") === "true" ? "open" : null},
                     make("summary", {class : "line"}, loopLine(node)), make("ul", {}, node.children.map(loopItem))));
}

/** The table `loops`, if functions were timed. */
export function showLoops(table)
{
    const part = document.getElementById("loops-part");
    if (!table || !table.rows.length) {
        document.querySelector("nav a[href='#loops-part']").remove();
        return part.remove();
    }
    return document.getElementById("loops").replaceChildren(
        make("p", {class : "legend"},
             Object.entries(STATES).map(
                 ([ state, words ]) => make("span", {}, make("i", {class : classOf(state)}), `${state}: ${words}`))),
        make("ul", {class : "loops"}, loopTree(table).map(loopItem)),
        make(
            "p", {class : "note"},
            "Shares are of the function, of a function of the run. The table “loops” has more."));
}
