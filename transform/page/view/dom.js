// Elements. Texts of the trace become text nodes and nothing else.

// Characters that a person does not see, or that turn the order of others round.
const DECEPTIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** A text in which nothing is hidden. */
export function plain(text) {
  return text.replace(DECEPTIVE, "\ufffd");
}

const READ = new Set(["title", "aria-label", "placeholder"]); // attributes that a person reads
const LONGEST_WORD = 24;

/** Make an element: make("a", {href: "#x"}, "text", child, …). Attributes that are functions are listeners. */
export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (READ.has(name) && value) element.setAttribute(name, plain(String(value)));
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined) continue;
    element.append(typeof child === "object" ? child : plain(String(child)));
  }
  return element;
}

/** A command line to copy. Browsers break a line behind a hyphen, so words are kept together; a long path is not. */
export function commandLine(text) {
  return make("code", {}, text.split(/( )/).map((word) => word.length <= LONGEST_WORD ? make("span", {class: "word"}, word) : word));
}

/** A bar: a share from 0 to 1. */
export function bar(share) {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return make("span", {class: "bar", "aria-hidden": "true"}, make("span", {style: `width:${width.toFixed(1)}%`}));
}

/** Put text on the clipboard, also in a page from disk. */
export async function copyText(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = make("textarea", {class: "offscreen"});
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
