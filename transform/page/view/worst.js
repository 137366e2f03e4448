// Below a table: the worst instances of what it is about, each a link into the timeline.
import {make} from "./dom.js";
import {formatBytes, formatTime} from "./units.js";

/** The lists that belong to a measure; "histogram --by size" is a form of histogram. */
export function worstOf(lists, title) {
  const [name] = title.split(" ");
  return lists.filter(({measures}) => measures.split(" ").includes(name));
}

function worstValue({bytes, values}, i) {
  return (bytes ? formatBytes : formatTime)(BigInt(values[i]));
}

/** An element with these lists, or null; of several one is chosen.
 * @param linkTo  of (row, value) a link into the timeline */
export function showWorst(lists, linkTo) {
  if (!lists.length) return null;
  const place = make("ol", {class: "found"});
  const draw = (list) => place.replaceChildren(...list.rows.map((row, i) => make("li", {}, linkTo(row, worstValue(list, i)))));
  const select = make("select", {"aria-label": "the worst of what", change: () => draw(lists[select.value])},
                      lists.map((list, i) => make("option", {value: i}, `${list.name}: ${worstValue(list, 0)}`)));
  draw(lists[0]);
  return make("div", {class: "worst"}, make("p", {class: "tools"}, make("label", {}, "The worst of ", select)), place);
}
