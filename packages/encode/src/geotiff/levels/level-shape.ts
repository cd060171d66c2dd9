import type { Settings } from "../options.ts";

/** Size of one resolution of the file. `written` is false for a size that only leads to the next one. */
export interface LevelShape {
  readonly factor: number;
  readonly width: number;
  readonly height: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly blocksAcross: number;
  readonly blocksDown: number;
  readonly written: boolean;
  /** One for pixel interleaving, one per band otherwise, and one for a mask. 0 where not `written`. */
  readonly planes: number;
}

function blockEdge(edge: number, blockSize: number): number {
  return Math.min(blockSize, Math.ceil(edge / 16) * 16);
}

/** The full size, each overview, and the sizes between that lead to them. */
export function planLevels(settings: Settings): readonly LevelShape[] {
  const { grid, overviews, interleave, bandCount, mask } = settings;
  const coarsest = overviews.at(-1) ?? 1;
  const planes = (interleave === "band" ? bandCount : 1) + (mask ? 1 : 0);
  const levels: LevelShape[] = [];
  for (let factor = 1; factor <= coarsest; factor *= 2) {
    const width = Math.ceil(grid.width / factor);
    const height = Math.ceil(grid.height / factor);
    const blockSize = factor === 1 ? settings.blockSize : settings.overviewBlockSize;
    const blockWidth = blockEdge(width, blockSize);
    const blockHeight = blockEdge(height, blockSize);
    const blocksAcross = Math.ceil(width / blockWidth);
    const blocksDown = Math.ceil(height / blockHeight);
    const written = factor === 1 || overviews.includes(factor);
    const size = { factor, width, height, blockWidth, blockHeight, blocksAcross, blocksDown };
    levels.push({ ...size, written, planes: written ? planes : 0 });
  }
  return levels;
}
