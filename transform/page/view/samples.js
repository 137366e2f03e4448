// Inside functions: where samples were, from regions over functions and loops to lines.
import {bar, make} from "./dom.js";
import {STEP} from "./tables.js";
import {countOf, formatPercent, formatTime} from "./units.js";

/**
 * The rows of `samples --by line` as a tree: [{name, row, children}], each row an object by the names of the columns.
 */
export function treeOfSamples({columns, rows})
{
    const roots = [], around = [];
    for (const cells of rows) {
        const row = Object.fromEntries(columns.map(({name}, i) => [name, cells[i]])), steps = row.path.split(STEP);
        const node = {name : steps[steps.length - 1], row, children : []};
        (steps.length > 1 ? around[steps.length - 2].children : roots).push(node);
        around[steps.length - 1] = node;
    }
    return roots;
}

function line({name, row})
{
    return [
        make("span", {class : "name"}, name), make("span", {class : "number"}, formatPercent(row.share)),
        make("span", {class : "number note"}, `${formatPercent(row.at_least)} to ${formatPercent(row.at_most)}`),
        make("span", {class : "number"}, formatTime(row.time)), make("span", {class : "number"}, formatTime(row.mpi)),
        bar(Number(row.share) / 10000)
    ];
}

/** A node and those below it. @param isHot  it is on the way to the hottest place: it is open */
function branch(node, isHot)
{
    if (!node.children.length)
        return make("div", {class : "leaf line"}, line(node));
    const [first] = node.children, half = Number(node.row.samples) / 2;
    return make(
        "details", {open : isHot || null}, make("summary", {class : "line"}, line(node)),
        node.children.map((child) => branch(child, isHot && child === first && Number(child.row.samples) >= half)));
}

/** The table `samples --by line`, or none of the part if the run was not sampled. */
export function showSamples(table)
{
    const part = document.getElementById("samples-part");
    if (!table || !table.rows.length) {
        document.querySelector("nav a[href='#samples-part']").remove();
        return part.remove();
    }
    const roots = treeOfSamples(table), sum = roots.reduce((n, {row}) => n + BigInt(row.samples), 0n);
    document.getElementById("samples").replaceChildren(
        make("p", {class : "note"},
             `CPU time of all ranks by region, function, loop and line, of ${
                 countOf(sum, "sample")}. The true share is within its bounds 95 times of a hundred.`),
        make("div", {class : "samples"},
             make("div", {class : "line head", "aria-hidden" : "true"},
                  [ "where", "share", "bounds", "CPU time", "in MPI", "" ].map(
                      (text, i) => make("span", {class : i ? "number" : "name"}, text))),
             roots.map((node, i) => branch(node, i === 0))));
    return undefined;
}
