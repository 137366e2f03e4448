// Where the lanes are: from top to bottom, each thread of a rank, or one rank for each group of ranks that behave alike.

const ROW = 14; // pixels of a depth where there is room
const MIN_ROW = 5; // below that bars have no room for a name, and a lane is drawn pixel by pixel
const MAX_HEIGHT = 620;

/** Lanes that stand for others: by lane the one in whose place it is drawn.
 * A thread is drawn with its rank's group only if it is the main one; other threads of hidden ranks are hidden with them. */
export function foldLanes(lanes, folded) {
  const mains = new Map();
  lanes.forEach((lane, i) => { if (!lane.thread) mains.set(lane.rank, i); });
  return lanes.map((lane, i) => (folded && lane.group !== lane.rank && mains.has(lane.group) ? mains.get(lane.group) : i));
}

/** The layout: {places, height, thin, row}. Of each lane its place {y, height, row, hides}: `row` is the height of a depth, `hides` the
 * number of ranks that it stands for. Hidden lanes share the place of theirs. `thin`: drawn pixel by pixel. */
export function layoutLanes(lanes, shownBy, top) {
  const shown = lanes.map((_, i) => i).filter((i) => shownBy[i] === i);
  const depths = shown.map((i) => Math.max(1, lanes[i].depths));
  const rows = depths.reduce((sum, n) => sum + n, 0);
  const wide = Math.min(ROW, Math.floor(MAX_HEIGHT / rows));
  const thin = wide < MIN_ROW;
  const row = thin ? Math.max(1, Math.floor(MAX_HEIGHT / shown.length)) : wide;
  const places = new Array(lanes.length);
  let y = top;
  shown.forEach((lane, i) => {
    const height = thin ? row : depths[i] * row;
    places[lane] = {y, height, row, depths: thin ? 1 : depths[i], hides: 0};
    y += height + (thin ? 0 : 5);
  });
  lanes.forEach((lane, i) => {
    if (shownBy[i] !== i && !lane.thread) places[shownBy[i]].hides++;
    places[i] = places[shownBy[i]];
  });
  return {places, shown, height: Math.ceil(y + 4), thin};
}
