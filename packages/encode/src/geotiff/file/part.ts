import { EncodeError } from "../../errors.ts";
import { type LeftPixels, leftPixels } from "../levels/left-pixels.ts";
import type { LevelShape } from "../levels/level-shape.ts";
import { type BlockRows, rowsWithin } from "../levels/sources.ts";
import type { Settings } from "../options.ts";
import { LEADER_BYTES, TRAILER_BYTES } from "./level.ts";
import type { ByteSource } from "./spool.ts";

/** The contents of a part of a GeoTIFF. Plain JSON data. */
export interface GeoTiffPart {
  /** Size, place and options of the whole file: those of all its parts agree. */
  readonly layout: string;
  readonly rows: BlockRows;
  /**
   * Sizes of its compressed blocks in bytes, as they follow each other in the part: those of the coarsest level first, in each level
   * those of the mask first, row by row. Pixels that it leaves to coarser blocks follow them.
   */
  readonly blockSizes: readonly number[];
  /** Bytes of the part. */
  readonly size: number;
}

/** A part, and the way to its bytes. */
export interface GeoTiffPartSource {
  readonly part: GeoTiffPart;
  /** Fills `into` with the bytes of the part from `position` on. Several reads may run at a time. */
  read(position: number, into: Uint8Array): Promise<void>;
}

/** A part that is joined with others. */
export interface PartSource extends ByteSource {
  /** Its number among the parts as they were given. */
  readonly number: number;
  readonly blockSizes: readonly number[];
  /** For each level, the rows of blocks that it has. */
  readonly rows: readonly BlockRows[];
  /** Pixels that it leaves to blocks of other rows. */
  readonly left: readonly LeftPixels[];
}

/** A block of a plane. */
interface BlockPlace {
  readonly level: number;
  readonly plane: number;
  readonly row: number;
  /** Number within the level, plane by plane. */
  readonly block: number;
}

/** The blocks of these rows in the order of the file. */
export function* blocksInOrder(levels: readonly LevelShape[], rows: readonly BlockRows[]): Iterable<BlockPlace> {
  for (let level = levels.length - 1; level >= 0; level--) {
    const { planes, blocksAcross, blocksDown } = levels[level] as LevelShape;
    const { from, to } = rows[level] as BlockRows;
    for (let plane = 0; plane < planes; plane++) {
      for (let row = from; row < to; row++) {
        const first = (plane * blocksDown + row) * blocksAcross;
        for (let column = 0; column < blocksAcross; column++) yield { level, plane, row, block: first + column };
      }
    }
  }
}

/** Returns the place and the options of a file as text: two with the same text have the same blocks for the same pixels. */
export function layoutOf(settings: Settings): string {
  const { grid, bandCount, sampleType, blockSize, predictor, nodata, mask, overviewResampling } = settings;
  return [
    `${grid.width} × ${grid.height} × ${bandCount} ${sampleType}`,
    `${grid.crs.name} ${grid.transform.join(" ")}`,
    `blocks of ${blockSize}`,
    `predictor ${predictor}`,
    mask ? "a mask" : nodata === undefined ? "no nodata" : `nodata ${nodata}`,
    overviewResampling,
  ].join(", ");
}

/** @throws {EncodeError} `invalid-option` unless the level has these rows of blocks, at least one. */
export function checkRows({ from, to }: BlockRows, { blocksDown }: LevelShape): void {
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || from >= to || to > blocksDown) {
    throw new EncodeError("invalid-option", `Expected rows of blocks within 0 to ${blocksDown}, got ${from} to ${to}.`);
  }
}

/**
 * The parts from the top to the bottom.
 *
 * @throws {EncodeError} `invalid-option` for a part of another file or of wrong length, or rows that two parts have; `incomplete`
 *   where rows are in none.
 */
export function orderParts(
  levels: readonly LevelShape[],
  settings: Settings,
  parts: readonly GeoTiffPartSource[],
): readonly PartSource[] {
  const layout = layoutOf(settings);
  const base = levels[0] as LevelShape;
  let next = 0;
  const ordered = [...parts.entries()]
    .sort(([, a], [, b]) => a.part.rows.from - b.part.rows.from)
    .map(([number, source]) => {
      const { part } = source;
      const name = `the part of rows ${part.rows.from} to ${part.rows.to}`;
      if (part.layout !== layout) {
        throw new EncodeError("invalid-option", `Expected ${name} to be of ${layout}, got ${part.layout}.`);
      }
      checkRows(part.rows, base);
      if (part.rows.from < next)
        throw new EncodeError("invalid-option", `Row ${part.rows.from} of blocks is in two parts.`);
      if (part.rows.from > next) throw lacks(next, part.rows.from);
      next = part.rows.to;
      return { number, ...placePart(levels, settings, source, name) };
    });
  if (next < base.blocksDown) throw lacks(next, base.blocksDown);
  return ordered;
}

function lacks(from: number, to: number): EncodeError {
  return new EncodeError("incomplete", `No part has the rows of blocks from ${from} to ${to}.`);
}

function placePart(
  levels: readonly LevelShape[],
  settings: Settings,
  source: GeoTiffPartSource,
  name: string,
): Omit<PartSource, "number"> {
  const { part } = source;
  const { blockSizes, size } = part;
  const rows = rowsWithin(levels, part.rows);
  const count = [...levels.entries()].reduce((sum, [i, { planes, blocksAcross }]) => {
    const { from, to } = rows[i] as BlockRows;
    return sum + planes * blocksAcross * (to - from);
  }, 0);
  const blockBytes = blockSizes.reduce((sum, bytes) => sum + LEADER_BYTES + bytes + TRAILER_BYTES, 0);
  const left = [...leftPixels(levels, settings, rows, blockBytes)];
  const end = left.reduce((sum, { bytes }) => sum + bytes, blockBytes);
  if (blockSizes.length !== count || size !== end) {
    const got = `${blockSizes.length} in ${size}`;
    throw new EncodeError("invalid-option", `Expected ${name} to have ${count} blocks in ${end} bytes, got ${got}.`);
  }
  return { read: (position, into) => source.read(position, into), blockSizes, rows, left };
}
