// Numbers as a person reads them. Totals come as decimal text and may be beyond 2^53: they are BigInt here.

const TIME_UNITS = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];
const BYTE_UNITS = [["TB", 1e12], ["GB", 1e9], ["MB", 1e6], ["kB", 1e3], ["B", 1]];

function digits(value) {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

function inUnits(number, units) {
  const value = Number(number);
  if (value === 0) return "0";
  const [name, size] = units.find(([, unit]) => Math.abs(value) >= unit) || units[units.length - 1];
  return (size === 1 ? value.toString() : digits(value / size)) + "\u00a0" + name;
}

/** "1.44 s" for nanoseconds. */
export function formatTime(ns) {
  return inUnits(ns, TIME_UNITS);
}

/** A time among others that are `step` nanoseconds apart: with as many digits as tell them apart. */
export function formatTick(ns, step) {
  if (ns === 0) return "0";
  const [name, size] = TIME_UNITS.find(([, unit]) => Math.abs(ns) >= unit) || TIME_UNITS[TIME_UNITS.length - 1];
  const decimals = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
  return (ns / size).toFixed(Math.min(9, decimals)) + "\u00a0" + name;
}

/** A value of a counter in its unit, for thousandths. */
export function formatCounted(thousandths, unit) {
  const value = Number(thousandths) / 1000;
  return unit === "B" ? formatBytes(value) : unit === "ns" ? formatTime(value) : value.toLocaleString("en", {maximumFractionDigits: 3}) + (unit ? "\u00a0" + unit : "");
}

/** "1.44 MB" for bytes. */
export function formatBytes(n) {
  return inUnits(n, BYTE_UNITS);
}

/** "1,234,567". */
export function formatCount(n) {
  return n.toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 call", "1,234 calls". */
export function countOf(n, noun) {
  return `${formatCount(n)} ${noun}${BigInt(n) === 1n ? "" : "s"}`;
}

/** "59.0 %" for hundredths of a percent. */
export function formatPercent(hundredths) {
  return (Number(hundredths) / 100).toFixed(1) + "\u00a0%";
}

/** The exact decimal number with some digits behind the point: 1234, 3 → "1.234". The number is decimal text. */
export function exactDecimal(number, decimals) {
  const negative = number.startsWith("-");
  const text = (negative ? number.slice(1) : number).padStart(decimals + 1, "0");
  const whole = decimals ? text.slice(0, -decimals) + "." + text.slice(-decimals) : text;
  return (negative ? "-" : "") + whole;
}
