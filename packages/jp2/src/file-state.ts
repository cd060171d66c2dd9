import type { Source } from "@swath/cog";
import { HeaderBytes } from "@swath/cog/bytes";
import { commonLevels } from "./codestream/coding-style.ts";
import { type ImageSize, type Rect, rectHeight, rectWidth, reduceRect } from "./codestream/image-size.ts";
import { type MainHeader, readMainHeader } from "./codestream/main-header.ts";
import { TileParts } from "./codestream/tile-parts.ts";
import { type Container, readContainer } from "./container/container.ts";
import { KnownPackets } from "./tiles/known-packets.ts";

/** All that is known of a file once it is open. */
export interface FileContents {
  /** The version of the source when the header was read. */
  readonly version: string | undefined;
  readonly container: Container;
  readonly header: MainHeader;
  readonly parts: TileParts;
  readonly packets: KnownPackets;
  /** Kept for the tiles in it. */
  readonly bytes: HeaderBytes;
}

/** The state of an open file; `contents` is replaced when the file changed. */
export interface FileState {
  readonly source: Source;
  readonly prefetch: number;
  contents: FileContents;
  /** A tile was damaged in two answers, or came damaged with the header, which is read again before it is used again. */
  suspect: boolean;
}

/** @throws {CogError} `not-a-jp2`, `corrupt`, `unsupported`, `too-large`, or what the source throws */
export async function readContents(
  source: Source,
  prefetch: number,
  signal: AbortSignal | undefined,
): Promise<FileContents> {
  const bytes = new HeaderBytes(source, prefetch, signal);
  const container = await readContainer(bytes, source.key);
  const header = await readMainHeader(bytes, container.codestreamAt, container.codestreamEnd, source.key);
  const parts = new TileParts(source, header);
  return { version: source.version, container, header, parts, packets: new KnownPackets(), bytes };
}

/** Reads the header again after the file changed; every holder of the open file sees the new one. */
export async function reopen(state: FileState, signal: AbortSignal | undefined): Promise<void> {
  state.contents = await readContents(state.source, state.prefetch, signal);
  state.suspect = false;
}

/**
 * The image at each resolution, finest first, on the coordinates of that resolution. Resolutions at which tiles do not begin
 * with a whole sample are left out, as GDAL leaves them out: the decoder does not place them.
 */
export function levelRects({ size, coding }: MainHeader): Rect[] {
  const rects = [size.image];
  const levels = commonLevels(coding);
  for (let reduction = 1; reduction <= levels && areTilesAligned(size, reduction); reduction++) {
    const last = rects[reduction - 1]!;
    if (rectWidth(last) === 1 && rectHeight(last) === 1) break;
    rects.push(reduceRect(size.image, reduction));
  }
  return rects;
}

/** Do all tiles begin with a sample of a resolution? */
function areTilesAligned(
  { image, tileX, tileY, tileWidth, tileHeight, tilesAcross, tilesDown }: ImageSize,
  reduction: number,
): boolean {
  const starts = [image.x0, image.y0];
  if (tilesAcross > 1) starts.push(tileX, tileWidth);
  if (tilesDown > 1) starts.push(tileY, tileHeight);
  return starts.every((start) => start % 2 ** reduction === 0);
}
