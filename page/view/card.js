// What is known of one bar: its attributes, those around it, its partners, why it waits, each a link to the place in the timeline.
import {decodeArrows, decodeWaits} from "./decode.js";
import {make, commandLine} from "./dom.js";
import {laneName, nameOf, placeOf} from "./paint.js";
import {countOf, formatBytes, formatCount, formatTime} from "./units.js";

const MOST_MESSAGES = 20; // of an operation

function fact(name, ...value) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, ...value));
}

export class Card {
  /** @param waits  by row, a list of waits; @param details  {argumentsOf(row), has(row)} */
  constructor(timeline, place, waits, classes, details) {
    this.timeline = timeline;
    this.place = place;
    this.waits = waits;
    this.classes = classes;
    this.details = details;
    timeline.listeners.push((bar) => this.show(bar));
  }

  async show(bar) {
    this.bar = bar;
    if (!bar) return this.place.replaceChildren();
    const late = setTimeout(() => this.bar === bar && this.place.replaceChildren(make("p", {class: "note"}, "The trace is read up to this operation …")), 200);
    const around = await this.timeline.store.around(bar), known = await this.details.argumentsOf(bar.count ? -1 : bar.row);
    const relations = await this.relations(bar);
    clearTimeout(late);
    if (this.bar === bar) this.place.replaceChildren(this.card(bar, around, known, relations));
    return undefined;
  }

  /** Waits and messages of an operation, as far as the page has them; its server has all. */
  async relations(bar) {
    const {store} = this.timeline;
    if (bar.count) return {waits: [], messages: [], nMessages: 0};
    if (store.head.served) {
      const [waits, messages] = await Promise.all([store.bytes(`waits-${bar.row}`), store.bytes(`messages-${bar.row}`)]);
      const {list, total} = decodeArrows(messages, 0, 0);
      return {waits: decodeWaits(waits, this.classes.length).list, messages: list, nMessages: total};
    }
    const {list, all} = await store.messagesOf(bar.row);
    return {waits: this.waits.get(bar.row) || [], messages: list, nMessages: list.length, isMissing: !all && this.isOfMessage(bar)};
  }

  link(text, place) {
    return make("button", {type: "button", class: "link", click: () => this.timeline.visit(place)}, text);
  }

  nameAt(place) {
    const {sites, lanes} = this.timeline.head;
    return `${nameOf(sites[place.site])} on ${laneName(lanes[place.lane])}`;
  }

  nameOfWait(wait) {
    return `${formatTime(wait.duration)} in ${this.nameAt(wait.at)} (${this.classes[wait.class]})`;
  }

  /** Whether messages may begin or end with it. */
  isOfMessage(bar) {
    return /^(send|receive|start|complete)/.test(this.timeline.head.sites[bar.site]?.kind || "");
  }

  card(bar, around, known, {waits, messages, nMessages, isMissing}) {
    const {head} = this.timeline, site = head.sites[bar.site], {host} = head.lanes[bar.lane];
    const facts = [fact("rank", laneName(head.lanes[bar.lane]) + (host ? ` on ${host}` : "")), fact("begin", formatTime(bar.begin)),
                   fact("duration", formatTime(bar.duration)), fact("waiting", formatTime(bar.waiting || 0))];
    if (bar.count) facts.push(fact("operations", formatCount(bar.count)), fact("together", formatTime(bar.busy)));
    else if (site) facts.push(fact("level", site.level), fact("line", placeOf(site) || "unknown"));
    for (const [name, value] of known)
      facts.push(fact(name, name.endsWith("bytes") ? formatBytes(value) : String(value)));
    return make("div", {class: "card"}, make("h3", {}, site ? nameOf(site) : "several operations"), make("dl", {}, facts),
                this.path(around), this.why(waits), this.partners(bar, messages, nMessages), isMissing ? this.whereAllAre("the longest messages") : null,
                bar.count || this.details.has(bar.row) ? null : this.whereAllAre("the attributes of the worst operations"),
                make("p", {class: "tools"}, make("button", {type: "button", click: () => this.timeline.showSpan(bar.begin, bar.duration)}, "zoom to it")));
  }

  path(around) {
    if (!around.length) return null;
    return make("p", {}, "inside ", around.flatMap((one, i) => [i ? " › " : "", this.link(nameOf(this.timeline.head.sites[one.site]), one)]));
  }

  /** Each wait, and a link to what caused it. */
  why(waits) {
    return waits.map((wait) => make("p", {class: "why"}, `${this.classes[wait.class]}: ${formatTime(wait.duration)}`,
                                   ...(wait.causer ? [", because of ", this.link(this.nameAt(wait.causer), wait.causer)] : [])));
  }

  /** Of a run with many operations the page has only some of what it has of others. */
  whereAllAre(what) {
    return make("p", {class: "note"}, `The page holds only ${what} of this run. All of them: `, commandLine(`hiera-transform ${this.timeline.head.run.command} --serve`));
  }

  /** @param n  how many messages it has; the first of them are there */
  partners(bar, messages, n) {
    const {lanes} = this.timeline.head, shown = messages.slice(0, MOST_MESSAGES), more = n - shown.length;
    const lines = shown.map((arrow) => {
      const leaves = arrow.row === bar.row;
      const place = leaves ? {lane: arrow.to, row: arrow.toRow, begin: arrow.begin + arrow.duration, duration: 0}
                           : {lane: arrow.from, row: arrow.row, begin: arrow.begin, duration: 0};
      const bytes = arrow.bytes < 0 ? "" : `, ${formatBytes(arrow.bytes)}`;
      return make("p", {}, leaves ? "message to " : "message from ", this.link(laneName(lanes[leaves ? arrow.to : arrow.from]), place), `${bytes}, ${formatTime(arrow.duration)} under way`);
    });
    return more > 0 ? [...lines, make("p", {class: "note"}, `and ${countOf(more, "message")} more`)] : lines;
  }
}
