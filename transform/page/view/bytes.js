// Blocks: base64 → inflated bytes → numbers.

/** The bytes of a base64 text. */
export function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Inflate raw deflated bytes. */
export async function inflate(bytes) {
  const {readable, writable} = new DecompressionStream("deflate-raw");
  const writer = writable.getWriter();
  writer.write(bytes).catch(() => {}); // what is wrong with the bytes is said by the reader
  writer.close().catch(() => {});
  const parts = [];
  let length = 0;
  for (const reader = readable.getReader();;) {
    const {done, value} = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  const whole = new Uint8Array(length);
  for (let at = 0, i = 0; i < parts.length; at += parts[i++].length) whole.set(parts[i], at);
  return whole;
}

/** Reads numbers of a block one after the other. They are exact up to 2^53: as nanoseconds 104 days. */
export class NumberReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  get isAtEnd() {
    return this.at >= this.bytes.length;
  }

  next() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.at++];
      if (byte < 128) return value + byte * factor;
      value += (byte - 128) * factor;
    }
  }

  byte() {
    return this.bytes[this.at++];
  }

  /** A number that may be negative: zigzag. */
  signed() {
    const value = this.next();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
}
