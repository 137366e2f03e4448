// The server of --serve, if the page comes from one.
import {inflate} from "./bytes.js";

/** The bytes at a path of the server; a promise. What the server says against it is the error's text. */
export async function fetchBlock(path) {
  const answer = await fetch(path, {cache: "no-store"});
  if (!answer.ok) throw new Error(await answer.text());
  return inflate(new Uint8Array(await answer.arrayBuffer()));
}

/** Of a job that runs: ask for the next page after some seconds in which nobody touches this one. A server that has ended is left alone. */
export function renewAfter(seconds) {
  scrollTo(0, Number(sessionStorage.getItem("scroll")));
  sessionStorage.removeItem("scroll");
  let touched = Date.now();
  for (const kind of ["pointermove", "pointerdown", "keydown", "wheel", "scroll"]) addEventListener(kind, () => { touched = Date.now(); }, {passive: true});
  const timer = setInterval(() => {
    if (document.hidden || Date.now() - touched < seconds * 1000) return;
    clearInterval(timer);
    fetch("block/tile-0-0", {cache: "no-store"}).then(() => { sessionStorage.setItem("scroll", scrollY); location.reload(); }, () => { document.getElementById("renew").textContent = "The server has ended: this is its last page."; });
  }, 500);
}
