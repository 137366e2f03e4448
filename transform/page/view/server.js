// The server of --serve, if the page comes from one.
import {inflate} from "./bytes.js";

/** The bytes at a path of the server; a promise. What the server says against it is the error's text. */
export async function fetchBlock(path) {
  const answer = await fetch(path, {cache: "no-store"});
  if (!answer.ok) throw new Error(await answer.text());
  return inflate(new Uint8Array(await answer.arrayBuffer()));
}
