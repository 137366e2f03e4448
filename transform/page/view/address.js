// The link into a place of the page: what stands behind the # of its address.

/** "t=1,2&q=x" → {t: "1,2", q: "x"}. */
export function parseAddress(hash) {
  return Object.fromEntries(new URLSearchParams(hash.replace(/^#/, "")));
}

/** The other way round; members without a value are left out. */
export function formatAddress(state) {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) if (value !== "" && value !== null && value !== undefined) parts.set(name, value);
  return parts.toString().replaceAll("%2C", ",");
}

/** Keeps the address and what is shown the same. */
export class Address {
  /** @param read  returns the state; @param show  shows one */
  constructor(read, show) {
    this.read = read;
    this.show = show;
    this.last = location.hash.replace(/^#/, "");
    window.addEventListener("hashchange", () => this.follow());
  }

  /** What is shown has changed: write it, but not at each step of a movement. */
  write() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const text = formatAddress(this.read());
      if (text === this.last) return;
      this.last = text;
      history.replaceState(null, "", "#" + text);
    }, 200);
  }

  /** The address has changed: show it, unless it only names a part of the page. */
  follow() {
    const text = location.hash.replace(/^#/, "");
    if (text === this.last || !text.includes("=")) return;
    this.last = text;
    this.show(parseAddress(text));
  }
}
