// Colours: levels by a palette that colour-blind eyes can tell apart (Okabe and Ito), quantities by lightness.

const PALETTE = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a000", "#7f6fc0"];
const MPI = PALETTE[5];
const MIXED = "#8a8a8a";

/** Colours of the sites of a run, by level; MPI has always the same one. */
export class LevelColors {
  constructor(sites) {
    this.levels = [...new Set(sites.map((site) => site.level))].sort();
    const others = this.levels.filter((level) => level !== "mpi");
    const rest = PALETTE.filter((color) => color !== MPI);
    this.byLevel = new Map(others.map((level, i) => [level, rest[i % rest.length]]));
    this.byLevel.set("mpi", MPI);
    this.bySite = sites.map((site) => this.byLevel.get(site.level));
  }

  ofSite(site) {
    return site < 0 ? MIXED : this.bySite[site];
  }
}

/** A colour for a share from 0 (pale) to 1 (strong). */
export function shade(share, dark) {
  const strength = Math.max(0, Math.min(1, share));
  const lightness = dark ? 18 + 47 * strength : 96 - 56 * strength;
  return `hsl(215 75% ${lightness.toFixed(1)}%)`;
}
