// Where the lanes are: from top to bottom, each thread of a rank, or one rank for each group of ranks that behave alike.

const ROW = 14; // pixels of a depth where there is room
const MIN_ROW = 5; // below that bars have no room for a name, and a lane is drawn pixel by pixel
const MAX_HEIGHT = 620;
const THREAD_ROW = 10; // threads are shown at first if a depth has this room with all of them

/** Whether the threads of all ranks are few enough to be shown at first. */
export function threadsFit(lanes) {
  return lanes.reduce((sum, lane) => sum + Math.max(1, lane.depths), 0) * THREAD_ROW <= MAX_HEIGHT;
}

/** Lanes that stand for others: by lane the one in whose place it is drawn, a main thread.
 * @param folded  whether ranks that behave alike are one lane; their threads are hidden with them
 * @param hides  whether the further threads of a rank are hidden */
export function foldLanes(lanes, folded, hides) {
  const mains = new Map();
  lanes.forEach((lane, i) => { if (!lane.thread) mains.set(lane.rank, i); });
  return lanes.map((lane, i) => {
    const rank = folded && mains.has(lane.group) ? lane.group : lane.rank;
    return rank !== lane.rank || (lane.thread && hides(rank) && mains.has(rank)) ? mains.get(rank) : i;
  });
}

/** Lanes that are drawn, by rank, then by number of the thread. The lanes of a rank are consecutive, its main thread first. */
function sortShown(lanes, shownBy) {
  const first = new Map();
  lanes.forEach(({rank}, i) => { if (!first.has(rank)) first.set(rank, i); });
  return lanes.map((_, i) => i).filter((i) => shownBy[i] === i)
              .sort((a, b) => first.get(lanes[a].rank) - first.get(lanes[b].rank) || lanes[a].thread - lanes[b].thread);
}

/** The layout: {places, shown, height, thin}. Of each lane its place {y, height, row, hides, threads}: `row` is the height of a depth, `hides` the
 * number of ranks that it stands for, `threads` that of its own rank's threads. Hidden lanes share the place of theirs. `thin`: drawn pixel by pixel. */
export function layoutLanes(lanes, shownBy, top) {
  const shown = sortShown(lanes, shownBy);
  const depths = shown.map((i) => Math.max(1, lanes[i].depths));
  const rows = depths.reduce((sum, n) => sum + n, 0);
  const wide = Math.min(ROW, Math.floor(MAX_HEIGHT / rows));
  const thin = wide < MIN_ROW;
  const row = thin ? Math.max(1, Math.floor(MAX_HEIGHT / shown.length)) : wide;
  const places = new Array(lanes.length);
  let y = top;
  shown.forEach((lane, i) => {
    const height = thin ? row : depths[i] * row;
    places[lane] = {y, height, row, depths: thin ? 1 : depths[i], hides: 0, threads: 0};
    y += height + (thin ? 0 : lanes[shown[i + 1]]?.thread ? 3 : 5);
  });
  lanes.forEach((lane, i) => {
    if (shownBy[i] !== i && !lane.thread) places[shownBy[i]].hides++;
    else if (shownBy[i] !== i && lane.rank === lanes[shownBy[i]].rank) places[shownBy[i]].threads++;
    places[i] = places[shownBy[i]];
  });
  return {places, shown, height: Math.ceil(y + 4), thin};
}
