// What is known of one bar: its attributes, those around it, its partners, why it waits, each a link to the place in the timeline.
import {decodeArrows, decodeWaits} from "./decode.js";
import {commandLine, make} from "./dom.js";
import {laneName, nameOf, placeOf} from "./paint.js";
import {STEP} from "./tables.js";
import {countOf, formatBytes, formatCount, formatTime} from "./units.js";

const MOST_MESSAGES = 20; // of an operation

function fact(name, ...value) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, ...value));
}

export class Card {
    /**
     * @param waits  by row, a list of waits; @param details  {argumentsOf(row), has(row)}; @param hot  [[rank, path,
     *     in which loop it computes there]]
     */
    constructor(timeline, place, waits, classes, details, hot)
    {
        this.timeline = timeline;
        this.place = place;
        this.waits = waits;
        this.classes = classes;
        this.details = details;
        this.hot = new Map(hot.map(([ rank, path, sentence ]) => [`${rank} ${path}`, sentence]));
        timeline.listeners.push((bar) => this.show(bar));
    }

  async show(bar) {
    this.bar = bar;
    if (!bar) return this.place.replaceChildren();
    const late = setTimeout(() => this.bar === bar && this.place.replaceChildren(make("p", {class: "note"}, "The trace is read up to this operation …")), 200);
    const around = await this.timeline.store.around(bar), known = await this.details.argumentsOf(bar.count ? -1 : bar.row);
    const relations = await this.relations(bar);
    for (const wait of relations.waits)
        wait.hot = await this.hotOf(wait.causer);
    clearTimeout(late);
    if (this.bar === bar) this.place.replaceChildren(this.card(bar, around, known, relations));
    return undefined;
  }

  /** Waits and messages of an operation, as far as the page has them, and in words what it lacks; its server has all. */
  async relations(bar) {
    const {store} = this.timeline;
    if (bar.count) return {waits: [], messages: [], nMessages: 0, partly: []};
    if (store.head.served) {
      const [waits, messages] = await Promise.all([store.bytes(`waits-${bar.row}`), store.bytes(`messages-${bar.row}`)]);
      const {list, total} = decodeArrows(messages, 0, 0);
      return {waits: decodeWaits(waits, this.classes.length).list, messages: list, nMessages: total, partly: []};
    }
    const {list, all} = await store.messagesOf(bar.row), waits = this.waits.get(bar.row) || [], partly = [];
    if (!all && this.isOfMessage(bar)) partly.push("the longest messages");
    if (bar.waiting > 0 && !waits.length && !this.isOfTeam(bar)) partly.push("the causes of the longest waits");
    if (!this.details.has(bar.row)) partly.push("the attributes of the worst operations");
    return {waits, messages: list, nMessages: list.length, partly};
  }

  /**
   * In which loop the rank computes that caused a wait, in the region around the call that came too late; "" if it was
   * not sampled.
   */
  async hotOf(causer)
  {
      if (!causer || !this.hot.size)
          return "";
      const {sites, lanes} = this.timeline.head, {rank, thread} = lanes[causer.lane];
      const path = [...await this.timeline.store.around(causer), causer ]
                       .map((one) => sites[one.site])
                       .filter((site) => site && site.level !== "mpi")
                       .map(nameOf);
      const sentence = thread === 0 && this.hot.get(`${rank} ${path.join(STEP)}`);
      return sentence
                 ? `; ${path.length ? `in ${path[path.length - 1]}` : "outside of all operations"} P${rank} ${sentence}`
                 : "";
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

  /** Whether it waits for threads of its own rank. */
  isOfTeam(bar) {
    return this.timeline.head.sites[bar.site]?.level === "openmp";
  }

  card(bar, around, known, {waits, messages, nMessages, partly}) {
    const {head} = this.timeline, site = head.sites[bar.site], {host} = head.lanes[bar.lane];
    const facts = [fact("rank", laneName(head.lanes[bar.lane]) + (host ? ` on ${host}` : ""))];
    if (site || bar.count) facts.push(fact("begin", formatTime(bar.begin)), fact("duration", formatTime(bar.duration)));
    else facts.push(fact("at", formatTime(bar.begin)));
    if (bar.waiting !== undefined) facts.push(fact(bar.waiting > 0 && this.timeline.waitsAt[bar.site] === "behind" ? "waiting after it" : "waiting", formatTime(bar.waiting)));
    if (bar.count) facts.push(fact("operations", formatCount(bar.count)), fact("together", formatTime(bar.busy)));
    else if (site) facts.push(fact("level", site.level), fact("line", placeOf(site) || "unknown"));
    for (const [name, value] of known)
      facts.push(fact(name, name.endsWith("bytes") && !Number.isNaN(Number(value)) ? formatBytes(value) : String(value)));
    const title = site ? nameOf(site) : bar.count ? "several operations" : "an operation that the page holds only with others";
    return make("div", {class: "card"}, make("h3", {}, title), make("dl", {}, facts),
                this.path(around), this.why(waits), this.partners(bar, messages, nMessages), partly.length ? this.whereAllAre(partly) : null,
                make("p", {class: "tools"}, make("button", {type: "button", click: () => this.timeline.showSpan(bar.begin, bar.duration)}, "zoom to it")));
  }

  path(around) {
    if (!around.length) return null;
    return make("p", {}, "inside ", around.flatMap((one, i) => [i ? " › " : "", this.link(nameOf(this.timeline.head.sites[one.site]), one)]));
  }

  /** Each wait, and a link to what caused it. */
  why(waits) {
      return waits.map(
          (wait) => make(
              "p", {class : "why"}, `${this.classes[wait.class]}: ${formatTime(wait.duration)}`,
              ...(wait.causer ? [ ", because of ", this.link(this.nameAt(wait.causer), wait.causer), wait.hot ] : [])));
  }

  /** Of a run with many operations the page has only some of what it has of others. */
  whereAllAre(partly) {
    const what = [partly.slice(0, -1).join(", "), ...partly.slice(-1)].filter(Boolean).join(" and ");
    return make("p", {class: "note"}, `The page holds only ${what} of this run. All of them: `, commandLine(`hiera-transform ${this.timeline.head.run.command} --serve`));
  }

  /** @param n  how many messages it has; the first of them are there */
  partners(bar, messages, n) {
    const {lanes} = this.timeline.head, shown = messages.slice(0, MOST_MESSAGES), more = n - shown.length;
    const lines = shown.map((arrow) => {
      const leaves = arrow.row === bar.row;
      const place = leaves ? {lane: arrow.to, row: arrow.toRow, begin: arrow.toBegin, duration: arrow.end - arrow.toBegin}
                           : {lane: arrow.from, row: arrow.row, begin: arrow.begin, duration: 0};
      const bytes = arrow.bytes < 0 ? "" : `, ${formatBytes(arrow.bytes)}`;
      const time = arrow.end < arrow.begin ? `it arrives ${formatTime(arrow.begin - arrow.end)} before it is sent, because clocks differ` : `${formatTime(arrow.duration)} under way`;
      return make("p", {}, leaves ? "message to " : "message from ", this.link(laneName(lanes[leaves ? arrow.to : arrow.from]), place), `${bytes}, ${time}`);
    });
    return more > 0 ? [...lines, make("p", {class: "note"}, `and ${countOf(more, "message")} more`)] : lines;
  }
}
