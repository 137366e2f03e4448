// Search: operations by name, level, file and line, waits by class, and in a page from a server by an expression. What is found is
// marked in the timeline.
import {make} from "./dom.js";
import {nameOf, placeOf} from "./paint.js";
import {countOf, formatCount, formatTime} from "./units.js";

const MOST_INSTANCES = 5000;
const MOST_ROWS = 40;
const PATIENCE = 400; // milliseconds: the server gets an expression when nobody types any more

/** What the run has of each site: {calls, time, longest}. Sums over ranks and call paths; exact: of many ranks they may be beyond 2^53. */
export function sumBySite(tree, nSites) {
  const sums = Array.from({length: nSites}, () => ({calls: 0n, time: 0n, longest: null}));
  for (const {site, number, longest} of tree.nodes) {
    if (site < 0) continue;
    const sum = sums[site];
    for (const rank of tree.ranks) {
      const of = rank.get(number);
      if (of) {
        sum.calls += BigInt(of.calls);
        sum.time += BigInt(of.inclusive);
      }
    }
    if (longest && (!sum.longest || longest.duration > sum.longest.duration)) sum.longest = longest;
  }
  return sums;
}

/** Sites whose text has all words. */
export function findSites(sites, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (site) => `${site.level} ${nameOf(site)} ${placeOf(site)} ${site.kind}`.toLowerCase();
  return wanted.length ? sites.map((site, i) => i).filter((i) => wanted.every((word) => text(sites[i]).includes(word))) : [];
}

export class Search {
  constructor(timeline, tree, waits, place) {
    this.timeline = timeline;
    this.head = timeline.head;
    this.waits = waits;
    this.sums = sumBySite(tree, this.head.sites.length);
    this.input = make("input", {type: "search", placeholder: "operation, line, level, class of waiting" + (this.head.served ? "; where EXPR" : ""), "aria-label": "search in the run",
                                input: () => this.find(), keydown: (event) => { if (event.key === "Enter") this.timeline.step(event.shiftKey ? -1 : 1); }});
    this.answer = make("div", {"aria-live": "polite"});
    place.replaceChildren(make("p", {class: "tools"}, this.input,
                               make("button", {type: "button", click: () => this.timeline.step(-1)}, "previous"),
                               make("button", {type: "button", click: () => this.timeline.step(1)}, "next")), this.answer);
  }

  get words() {
    return this.input.value;
  }

  set(words) {
    this.input.value = words;
    return this.find();
  }

  async find() {
    const {words} = this, found = findSites(this.head.sites, words);
    const wanted = words.trim().toLowerCase(), expression = /^\s*where\s+(\S.*)/.exec(words);
    if (expression && this.head.served) return this.findWhere(words, expression[1]);
    const isSeen = (i) => this.waits.totals[i] > 0;
    const classes = wanted ? this.head.classes.map((_, i) => i).filter((i) => this.head.classes[i].includes(wanted) && isSeen(i)) : [];
    this.timeline.onChange();
    if (!wanted) {
      this.timeline.mark(null, []);
      return this.answer.replaceChildren();
    }
    const waits = this.waits.list.filter((wait) => classes.includes(wait.class)).map((wait) => wait.at).sort((a, b) => a.begin - b.begin);
    const sites = new Set(found), alone = await this.timeline.store.instances(sites, MOST_INSTANCES);
    if (this.words !== words) return undefined;
    this.timeline.mark(found.length ? sites : new Set(waits.map((at) => at.site)), found.length ? alone : waits);
    this.answer.replaceChildren(...this.describe(found, alone, classes, waits));
    return undefined;
  }

  /** Operations for which an expression of --where holds: the server knows. */
  async findWhere(words, expression) {
    this.timeline.onChange();
    await new Promise((done) => { setTimeout(done, PATIENCE); });
    if (this.words !== words) return;
    try {
      const {total, list} = await this.timeline.store.where(expression);
      if (this.words !== words) return;
      this.timeline.mark(new Set(list.map((one) => one.site)), list);
      this.answer.replaceChildren(make("p", {class: "note"}, `${countOf(total, "operation")} fulfil it; "next" goes through ${formatCount(list.length)} of ${formatCount(total)}, the longest`));
    } catch (error) {
      if (this.words === words) this.answer.replaceChildren(make("pre", {class: "note"}, error.message));
    }
  }

  describe(found, alone, classes, waits) {
    const calls = found.reduce((sum, site) => sum + this.sums[site].calls, 0n);
    const lines = [];
    if (found.length || !classes.length) {
      lines.push(make("p", {class: "note"}, found.length ? `${countOf(found.length, "call site")}, ${countOf(calls, "call")}; "next" goes through ${formatCount(alone.length)} of ${formatCount(calls)}` : "nothing is found"));
      const order = found.sort((a, b) => (this.sums[a].time < this.sums[b].time ? 1 : this.sums[a].time > this.sums[b].time ? -1 : a - b));
      lines.push(make("ul", {class: "found"}, order.slice(0, MOST_ROWS).map((site) => this.row(site))));
      if (found.length > MOST_ROWS) lines.push(make("p", {class: "note"}, `and ${formatCount(found.length - MOST_ROWS)} more`));
    }
    for (const number of classes) {
      const n = this.waits.list.filter((wait) => wait.class === number).length, total = this.waits.totals[number];
      lines.push(make("p", {class: "note"}, `${this.head.classes[number]}: ${countOf(total, "wait")}${found.length ? "" : `; "next" goes through ${formatCount(n)} of ${formatCount(total)}${n < total ? ", the longest" : ""}`}`));
    }
    return lines;
  }

  row(number) {
    const site = this.head.sites[number], {calls, time, longest} = this.sums[number];
    return make("li", {}, make("strong", {}, nameOf(site)), ` ${placeOf(site)} (${site.level}): ${countOf(calls, "call")}, ${formatTime(time)} `,
                longest ? make("button", {type: "button", class: "link", click: () => this.timeline.visit(longest)}, `longest: ${formatTime(longest.duration)}`) : null);
  }
}
