// The call tree: metric → path → rank, as in Cube. Sums are exact: BigInt.
import {isDark, shade, whenColorsChange} from "./colors.js";
import {MOST_BYTES, MOST_OF_CLASS, MOST_OWN, MOST_TIME, MOST_TRANSFER, MOST_WAITING} from "./decode.js";
import {bar, make} from "./dom.js";
import {formatBytes, formatCount, formatCounted, formatTime} from "./units.js";

/** A metric: name for the address, depth in the tree of metrics, words, format, and what one rank has of it in one call path.
 * @param how  {ofPath: what the callees have belongs to it already; ofAll: the program has that of further threads and hidden calls, too;
 *             most: [what the worst operation has most of, words for that], among: the paths whose operations count;
 *             join: of a counter, how values are put together: of callees, where a path has none itself, and of ranks;
 *             hidden: 1 or −1, how time in MPI calls that a filter hid counts, which lies somewhere in their unknown callers} */
function metric(name, depth, text, format, of, how = {}) {
  return {name, depth, text, format, of, how};
}

/** The tree of metrics: time → MPI → waiting → class; only classes that the run has. Time of MPI is that inside the outermost MPI calls. Behind them: counters. */
export function makeMetrics(head, tree, counters) {
  const inMpi = [];
  for (const {number, parent, site} of tree.nodes) inMpi[number] = (site >= 0 && head.sites[site].level === "mpi") || (number > 0 && inMpi[parent]);
  const isMpi = ({number}) => inMpi[number];
  const seen = new Set(tree.ranks.flatMap((rank) => [...rank.values()].flatMap((sums) => Object.keys(sums.classes).map(Number))));
  const own = [MOST_OWN, "longest without its callees"];
  return [
    metric("inclusive", 0, "time", formatTime, (sums) => sums.inclusive, {ofPath: true, most: [MOST_TIME, "longest call"]}),
    metric("computation", 1, "computation", formatTime, (sums, node) => (isMpi(node) ? 0 : sums.exclusive), {hidden: -1, most: own, among: (node) => !isMpi(node)}),
    metric("mpi", 1, "MPI", formatTime, (sums, node) => (isMpi(node) ? sums.exclusive : 0), {hidden: 1, most: [MOST_OWN, "longest call"], among: isMpi}),
    metric("transfer", 2, "MPI without waiting", formatTime, (sums, node) => (isMpi(node) ? sums.exclusive - sums.waiting : 0), {hidden: 1, most: [MOST_TRANSFER, "longest without waiting"], among: isMpi}),
    metric("waiting", 2, "waiting", formatTime, (sums) => sums.waiting, {most: [MOST_WAITING, "longest wait"]}),
    ...head.classes.flatMap((text, i) => (seen.has(i) ? [metric(`class-${i}`, 3, text, formatTime, (sums) => sums.classes[i] || 0, {most: [MOST_OF_CLASS + i, "longest wait"]})] : [])),
    metric("exclusive", 0, "time of its own", formatTime, (sums) => sums.exclusive, {ofPath: true, most: own}),
    metric("calls", 0, "calls", formatCount, (sums) => sums.calls, {ofPath: true, most: [MOST_TIME, "longest call"]}),
    metric("bytes", 0, "bytes sent", formatBytes, (sums) => sums.bytes, {ofAll: true, most: [MOST_BYTES, "most bytes"]}),
    ...counters.map(({name, unit, level}, i) => metric(`counter-${name}`, 0, name, (value) => formatCounted(value, unit), (sums) => sums.counted[i], {join: level ? greater : add})),
  ];
}

const add = (a, b) => a + b, greater = (a, b) => (a > b ? a : b);

/** Put two values together of which either may be missing. */
const join = (how, a, b) => (a === undefined ? b : b === undefined ? a : how.join(a, b));

function valuesOfCounter(tree, rank, {of, how}) {
  const values = tree.nodes.map(() => undefined);
  for (let i = values.length - 1; i >= 0; i--) {
    const own = rank.has(i) ? of(rank.get(i)) : undefined, {parent} = tree.nodes[i];
    if (own !== undefined) values[i] = BigInt(own);
    if (i > 0) values[parent] = join(how, values[parent], values[i]);
  }
  return values;
}

/** Sums of a metric by node, of one rank; nodes stand behind their parents. Further threads run beside the program. Values of counters may be missing. */
export function sumsOfRank(tree, rank, {of, how}) {
  if (how.join) return valuesOfCounter(tree, rank, {of, how});
  const sums = tree.nodes.map((node) => BigInt(rank.has(node.number) ? of(rank.get(node.number), node) : 0));
  if (how.ofPath) return sums;
  for (let i = sums.length - 1; i > 0; i--)
    if (how.ofAll || tree.nodes[i].site >= 0) sums[tree.nodes[i].parent] += sums[i];
  sums[0] += BigInt((how.hidden || 0) * (rank.get(0)?.hidden || 0));
  return sums;
}

/** The worst operation of a path by a metric: {place, value, words}; of a metric that callees add to, also among theirs. */
export function worstOfPath(node, {how}) {
  if (!how.most) return null;
  const [what, words] = how.most;
  let worst = null;
  const look = (at) => {
    const found = !how.among || how.among(at) ? at.most.get(what) : null;
    if (found && (!worst || found.value > worst.value)) worst = {...found, words};
    if (!how.ofPath) at.children.forEach(look);
  };
  look(node);
  return worst;
}

class TreeView {
  /** @param visit  shows an operation in the timeline; @param onChange  called when another node or metric is chosen */
  constructor(head, tree, counters, visit, onChange) {
    this.visit = visit;
    this.onChange = onChange;
    this.head = head;
    this.tree = tree;
    this.ranks = [...new Set(head.lanes.map((lane) => lane.rank))];
    this.paths = make("div", {class: "tree"});
    this.side = make("div", {class: "ranks"});
    this.chosen = tree.nodes[0];
    this.open = new Set([0]);
    document.getElementById("tree").replaceChildren(this.paths, this.side);
    const select = document.getElementById("metric");
    this.metrics = makeMetrics(head, tree, counters);
    select.replaceChildren(...this.metrics.map(({name, depth, text}) => make("option", {value: name}, "\u00a0\u00a0".repeat(depth) + text)));
    select.addEventListener("change", () => this.setMetric(select.value));
    this.setMetric("inclusive");
    whenColorsChange(() => this.drawRanks());
  }

  /** Choose a metric and a node by their names; those around the node are opened. */
  set(metric, number) {
    if (this.metrics.some((one) => one.name === metric)) this.setMetric(metric);
    const node = this.tree.nodes[number];
    if (!node) return;
    for (let at = node; at.number > 0; at = this.tree.nodes[at.parent]) this.open.add(at.parent);
    this.chosen = node;
    this.draw();
  }

  setMetric(name) {
    document.getElementById("metric").value = name;
    const chosen = this.metrics.find((one) => one.name === name);
    this.metric = name;
    this.format = chosen.format;
    this.byRank = this.tree.ranks.map((rank) => sumsOfRank(this.tree, rank, chosen));
    const how = {join: chosen.how.join || add};
    this.sums = this.tree.nodes.map(({number}) => this.byRank.reduce((sum, of) => join(how, sum, of[number]), undefined) ?? 0n);
    this.whole = this.sums.reduce((most, sum) => (sum > most ? sum : most), 1n);
    this.draw();
  }

  nameOf(node) {
    if (node.site < 0) return [[this.head.run.application || "program", "further threads", "only counted"][node.site + 3], ""];
    const site = this.head.sites[node.site];
    return [site.class ? `${site.class}::${site.name}` : site.name, site.file ? `${site.file}${site.line ? ":" + site.line : ""}` : site.level];
  }

  item(node, level) {
    const [name, place] = this.nameOf(node), sum = this.sums[node.number];
    const isOpen = this.open.has(node.number), children = [...node.children].sort((a, b) => (this.sums[a.number] < this.sums[b.number] ? 1 : -1));
    const line = make("div", {class: "line", click: () => this.choose(node, true)},
                      make("span", {class: "name"}, children.length ? (isOpen ? "▾ " : "▸ ") : "  ", name, " ", make("span", {class: "place"}, place)),
                      make("span", {class: "number"}, this.format(sum)), bar(Number(sum * 10000n / this.whole) / 10000));
    return make("li", {role: "treeitem", tabindex: node === this.chosen ? "0" : "-1", "data-node": node.number, "aria-level": level,
                       "aria-selected": node === this.chosen ? "true" : "false", "aria-expanded": children.length ? String(isOpen) : null},
                line, isOpen && children.length ? make("ul", {role: "group"}, children.map((child) => this.item(child, level + 1))) : null);
  }

  draw() {
    const list = make("ul", {role: "tree", "aria-label": "Call paths", keydown: (event) => this.key(event)}, this.item(this.tree.nodes[0], 1));
    this.paths.replaceChildren(list);
    this.drawRanks();
    this.onChange();
  }

  drawRanks() {
    const values = this.byRank.map((sums) => sums[this.chosen.number] ?? 0n);
    const most = values.reduce((a, b) => (a > b ? a : b), 0n), scale = most > 0n ? most : 1n, sum = values.reduce((a, b) => a + b, 0n);
    const mean = sum / BigInt(values.length);
    const imbalance = most > 0n ? 1 - Number(sum) / values.length / Number(most) : 0;
    const order = values.map((value, i) => [value, this.ranks[i]]);
    const worst = worstOfPath(this.chosen, this.metrics.find((one) => one.name === this.metric));
    this.side.replaceChildren(
        worst ? make("p", {}, make("button", {type: "button", class: "link worst-of-path", click: () => this.visit(worst.place)},
                                   `${worst.words}: ${this.metric === "bytes" ? formatBytes(worst.value) : formatTime(worst.value)}`), " in the timeline") : "",
        make("p", {}, make("strong", {}, this.nameOf(this.chosen)[0]), ` by rank: mean ${this.format(mean)}, most ${this.format(most)}, imbalance ${(imbalance * 100).toFixed(1)} %`),
        this.grid(new Map(order.map(([value, rank]) => [rank, value])), scale),
        make("div", {class: "scroll", tabindex: "0"}, order.map(([value, rank]) =>
            make("div", {class: "line"}, make("span", {}, `P${rank}`), bar(Number(value * 10000n / scale) / 10000), make("span", {class: "number"}, this.format(value))))));
  }

  /** The ranks at their places in the Cartesian topology, shaded by what they have; one plane of the first two dimensions behind the other. */
  grid(byRank, most) {
    const {grid} = this.head;
    if (!grid || grid.size.length > 3) return "";
    const [height, width] = grid.size.length === 1 ? [1, grid.size[0]] : grid.size.slice(-2);
    const planes = [];
    for (let at = 0; at < grid.ranks.length; at += width * height) planes.push(grid.ranks.slice(at, at + width * height));
    const dark = isDark();
    const cell = (rank) => { const value = byRank.get(rank) ?? 0n; return make("td", {style: `background:${shade(Number(value * 10000n / most) / 10000, dark)}`, title: `P${rank}: ${this.format(value)}`}); };
    const row = (ranks) => make("tr", {}, ranks.map(cell));
    return make("div", {class: "scroll topology", role: "img", "aria-label": `The ranks in their topology, ${grid.size.join(" x ")}; the list has the numbers`},
                planes.map((ranks) => make("table", {}, Array.from({length: height}, (_, y) => row(ranks.slice(y * width, (y + 1) * width))))));
  }

  choose(node, toggle) {
    this.chosen = node;
    if (toggle && node.children.length) this.setOpen(node, !this.open.has(node.number));
    this.draw();
    this.paths.querySelector(`[data-node="${node.number}"]`)?.focus({preventScroll: true});
  }

  setOpen(node, open) {
    if (open) this.open.add(node.number);
    else this.open.delete(node.number);
  }

  key(event) {
    const shown = [...this.paths.querySelectorAll("[role=treeitem]")];
    const at = shown.findIndex((item) => Number(item.dataset.node) === this.chosen.number);
    const to = (i) => this.tree.nodes[Number(shown[Math.max(0, Math.min(shown.length - 1, i))].dataset.node)];
    const {chosen} = this;
    const actions = {ArrowDown: () => to(at + 1), ArrowUp: () => to(at - 1), Home: () => to(0), End: () => to(shown.length - 1),
                     ArrowRight: () => (this.open.has(chosen.number) ? to(at + 1) : (this.setOpen(chosen, true), chosen)),
                     ArrowLeft: () => (this.open.has(chosen.number) ? (this.setOpen(chosen, false), chosen) : this.tree.nodes[chosen.parent])};
    if (!actions[event.key]) return;
    event.preventDefault();
    this.choose(actions[event.key](), false);
  }
}

export function showTree(head, tree, counters, visit, onChange) {
  return new TreeView(head, tree, counters, visit, onChange);
}
