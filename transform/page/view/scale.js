// The window of time that is shown, and its ticks.

const MIN_NS = 20; // the smallest window

/** A window of [0, length]; `begin` and `end` are nanoseconds from the begin of the run. */
export class TimeWindow {
  constructor(length) {
    this.length = Math.max(length, MIN_NS);
    this.set(0, this.length);
  }

  set(begin, end) {
    const span = Math.min(this.length, Math.max(MIN_NS, end - begin));
    this.begin = Math.max(0, Math.min(begin, this.length - span));
    this.end = this.begin + span;
  }

  get span() {
    return this.end - this.begin;
  }

  /** Zoom by a factor; the time `around` stays where it is. */
  zoom(factor, around) {
    const span = Math.min(this.length, Math.max(MIN_NS, this.span * factor));
    const share = (around - this.begin) / this.span;
    this.set(around - share * span, around - share * span + span);
  }

  move(ns) {
    this.set(this.begin + ns, this.end + ns);
  }
}

/** Times of round numbers, at most n. */
export function ticks(begin, end, n) {
  const rough = (end - begin) / Math.max(1, n);
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= rough);
  const found = [];
  for (let time = Math.ceil(begin / step) * step; time <= end; time += step) found.push(time);
  return found;
}
