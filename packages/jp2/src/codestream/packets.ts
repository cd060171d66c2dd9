import type { CodingStyle, ComponentStyle } from "./coding-style.ts";
import { type Rect, reduceRect } from "./image-size.ts";

/** One precinct of a component at a resolution: the code-blocks of its sub-bands whose bits a packet of a layer holds. */
export interface Precinct {
  readonly component: number;
  /** 0 is the coarsest. */
  readonly resolution: number;
  /** Columns and rows of precincts, counted from the origin of the resolution's own coordinates. */
  readonly column: number;
  readonly row: number;
}

/** The packets of a tile as they follow each other in the codestream. */
export interface PacketOrder {
  readonly precincts: readonly Precinct[];
  /** Index of the precinct of each packet. */
  readonly sequence: Uint32Array;
}

interface Placed extends Precinct {
  /** Positions on the reference grid at which the loops over positions meet it. */
  readonly x: number;
  readonly y: number;
}

interface PrecinctGrid {
  readonly firstColumn: number;
  readonly firstRow: number;
  readonly across: number;
  readonly down: number;
}

/** Precincts of a resolution of a tile: those of the grid at the origin that the resolution's rectangle touches. */
export function precinctGrid(tile: Rect, style: ComponentStyle, resolution: number): PrecinctGrid {
  const { x0, y0, x1, y1 } = reduceRect(tile, style.levels - resolution);
  const [width, height] = style.precincts[resolution]!;
  const firstColumn = Math.floor(x0 / 2 ** width);
  const firstRow = Math.floor(y0 / 2 ** height);
  return {
    firstColumn,
    firstRow,
    across: x1 > x0 ? Math.ceil(x1 / 2 ** width) - firstColumn : 0,
    down: y1 > y0 ? Math.ceil(y1 / 2 ** height) - firstRow : 0,
  };
}

/** Precincts of a tile in all components and resolutions. */
export function countPrecincts(tile: Rect, { components }: CodingStyle): number {
  let count = 0;
  for (const style of components) {
    for (let resolution = 0; resolution <= style.levels; resolution++) {
      const { across, down } = precinctGrid(tile, style, resolution);
      count += across * down;
    }
  }
  return count;
}

/** The order of a tile's packets by its progression (ITU-T T.800 B.12.1). The caller checks how many there are. */
export function packetOrder(tile: Rect, coding: CodingStyle): PacketOrder {
  const precincts = coding.components.flatMap((style, component) => placedPrecincts(tile, style, component));
  const { layers, progression } = coding;
  // packets of a precinct differ only by their layer: it is outermost, after the resolution, or innermost
  const sorted = precincts.map((_, i) => i).sort(comparison(precincts, progression));
  const sequence = new Uint32Array(precincts.length * layers);
  let at = 0;
  if (progression === "LRCP") {
    for (let layer = 0; layer < layers; layer++) for (const index of sorted) sequence[at++] = index;
  } else if (progression === "RLCP") {
    for (let from = 0; from < sorted.length; ) {
      const { resolution } = precincts[sorted[from]!]!;
      let to = from;
      while (to < sorted.length && precincts[sorted[to]!]!.resolution === resolution) to++;
      for (let layer = 0; layer < layers; layer++) for (let i = from; i < to; i++) sequence[at++] = sorted[i]!;
      from = to;
    }
  } else {
    for (const index of sorted) for (let layer = 0; layer < layers; layer++) sequence[at++] = index;
  }
  return { precincts, sequence };
}

function placedPrecincts(tile: Rect, style: ComponentStyle, component: number): Placed[] {
  const placed: Placed[] = [];
  for (let resolution = 0; resolution <= style.levels; resolution++) {
    const { firstColumn, firstRow, across, down } = precinctGrid(tile, style, resolution);
    const [width, height] = style.precincts[resolution]!;
    const scale = 2 ** (style.levels - resolution);
    for (let row = firstRow; row < firstRow + down; row++) {
      for (let column = firstColumn; column < firstColumn + across; column++) {
        // the first of a tile may begin before it
        const x = Math.max(tile.x0, column * 2 ** width * scale);
        const y = Math.max(tile.y0, row * 2 ** height * scale);
        placed.push({ component, resolution, column, row, x, y });
      }
    }
  }
  return placed;
}

type Key = (precinct: Placed) => number;

const RESOLUTION: Key = ({ resolution }) => resolution;
const COMPONENT: Key = ({ component }) => component;
const ROW: Key = ({ row }) => row;
const COLUMN: Key = ({ column }) => column;
const Y: Key = ({ y }) => y;
const X: Key = ({ x }) => x;

const LOOPS: Readonly<Record<CodingStyle["progression"], readonly Key[]>> = {
  LRCP: [RESOLUTION, COMPONENT, ROW, COLUMN],
  RLCP: [RESOLUTION, COMPONENT, ROW, COLUMN],
  RPCL: [RESOLUTION, Y, X, COMPONENT],
  PCRL: [Y, X, COMPONENT, RESOLUTION],
  CPRL: [COMPONENT, Y, X, RESOLUTION],
};

function comparison(precincts: readonly Placed[], progression: CodingStyle["progression"]) {
  const loops = LOOPS[progression];
  return (a: number, b: number): number => {
    for (const key of loops) {
      const difference = key(precincts[a]!) - key(precincts[b]!);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

/** Samples around a window that synthesis of one level needs: 5/3 reaches 2 beyond, 9/7 reaches 4 (ITU-T T.800, annex F). */
const REACH = 4;

/**
 * The precincts that a window needs at a resolution with `reduction` levels fewer, by index. Without a window, those of all
 * coarser resolutions.
 *
 * @param window in pixels of that resolution, on the image's own coordinates
 */
export function neededPrecincts(
  precincts: readonly Precinct[],
  { components }: CodingStyle,
  reduction: number,
  window?: Rect,
): Uint8Array {
  const needed = new Uint8Array(precincts.length);
  const regions = window === undefined ? undefined : components.map((style) => regionsOf(style, reduction, window));
  precincts.forEach(({ component, resolution, column, row }, i) => {
    const style = components[component]!;
    if (resolution > style.levels - reduction) return;
    if (regions === undefined) {
      needed[i] = 1;
      return;
    }
    const region = regions[component]![resolution]!;
    const [width, height] = style.precincts[resolution]!;
    // sub-bands have half the coordinates of the resolution that they make
    const [w, h] = resolution === 0 ? [2 ** width, 2 ** height] : [2 ** (width - 1), 2 ** (height - 1)];
    const isApart =
      (column + 1) * w <= region.x0 || column * w >= region.x1 || (row + 1) * h <= region.y0 || row * h >= region.y1;
    needed[i] = isApart ? 0 : 1;
  });
  return needed;
}

/** Samples of the sub-bands of each resolution that a window of the finest one kept depends on, coarsest first. */
function regionsOf({ levels }: ComponentStyle, reduction: number, window: Rect): Rect[] {
  const regions: Rect[] = [];
  let region = window;
  for (let resolution = levels - reduction; resolution > 0; resolution--) {
    region = {
      x0: Math.floor(region.x0 / 2) - REACH,
      y0: Math.floor(region.y0 / 2) - REACH,
      x1: Math.ceil(region.x1 / 2) + REACH,
      y1: Math.ceil(region.y1 / 2) + REACH,
    };
    regions[resolution] = region;
  }
  // the coarsest sub-band is the image of its resolution
  regions[0] = region;
  return regions;
}
