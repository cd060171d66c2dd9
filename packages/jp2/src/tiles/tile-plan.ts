import { type ByteRange, mergeRanges } from "@swath/cog/bytes";
import type { CodingStyle } from "../codestream/coding-style.ts";
import type { Rect } from "../codestream/image-size.ts";
import type { MainHeader } from "../codestream/main-header.ts";
import { countPrecincts, neededPrecincts, type PacketOrder, packetOrder } from "../codestream/packets.ts";
import { canReduce } from "../codestream/tile-codestream.ts";
import { MAX_PACKETS, type TilePackets } from "../codestream/tile-packets.ts";
import type { TilePart } from "../codestream/tile-parts.ts";
import type { KnownPackets } from "./known-packets.ts";

/** The part of a tile that is wanted. */
export interface TileRequest {
  readonly tile: number;
  /** Its place on the reference grid. */
  readonly rect: Rect;
  /** Resolutions that are left out. */
  readonly reduction: number;
  /** Pixels that are wanted, on the coordinates of the image at that resolution; absent: all. */
  readonly window?: Rect | undefined;
}

/** The packets of a tile, and which of them are wanted. */
export interface WantedPackets {
  readonly order: PacketOrder;
  /** By precinct. */
  readonly needed: Uint8Array;
  /** Index of the last packet that is needed. */
  readonly last: number;
}

/** Bytes of a tile-part that are read to find its packets, where little of it is wanted. */
const HEADER_BYTES = 1024;
/**
 * Samples of coarser resolutions take more bits: in Sentinel-2 imagery 1.1 to 1.2 times the mean where one resolution
 * is left out, 1.3 to 1.6 times where four are. The first read takes some more; a second one reads what it lacks.
 */
const moreBytes = (reduction: number): number => 1.2 + 0.15 * reduction;
/** From this share of a tile's bytes on it is read whole. */
const WHOLE_ABOVE = 0.75;
/** Reads of a tile; where its packets need more it is read whole. */
const MAX_READS = 12;

/** May some packets of the tile be left out? */
export function isDivided(header: MainHeader, { rect, reduction, window }: TileRequest): boolean {
  if ((reduction === 0 && window === undefined) || !canReduce(header, reduction)) return false;
  return countPrecincts(rect, header.coding) * header.coding.layers <= MAX_PACKETS;
}

/** Returns the packets of a tile that are needed. */
export function wantedPackets(coding: CodingStyle, { rect, reduction, window }: TileRequest): WantedPackets {
  const order = packetOrder(rect, coding);
  const needed = neededPrecincts(order.precincts, coding, reduction, window);
  const last = order.sequence.findLastIndex((precinct) => needed[precinct] === 1);
  return { order, needed, last };
}

/** Returns the ranges of a tile that are read first: all wanted ones, as far as their places are known. */
export function plannedRanges(
  header: MainHeader,
  packets: KnownPackets,
  parts: readonly TilePart[],
  request: TileRequest,
): readonly ByteRange[] {
  if (!isDivided(header, request) || !packets.areStated) return parts;
  const known = packets.get(request.tile);
  if (known === undefined) return firstRanges(header.coding, parts, request);
  const wanted = wantedPackets(header.coding, request);
  return (known.lengths.length > wanted.last ? neededRanges(wanted, known, parts) : undefined) ?? parts;
}

/** Returns the ranges of a tile that are read before anything is known about its packets. */
function firstRanges(
  { progression, layers }: CodingStyle,
  parts: readonly TilePart[],
  { reduction, window }: TileRequest,
): ByteRange[] {
  const [first] = parts;
  if (first === undefined) return [];
  // where the coarser resolutions of all components come first they are one piece
  const isOnePiece =
    window === undefined &&
    (progression === "RLCP" || progression === "RPCL" || (progression === "LRCP" && layers === 1));
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  const share = isOnePiece ? Math.ceil((bytes * moreBytes(reduction)) / 4 ** reduction) : 0;
  return [{ offset: first.offset, length: Math.min(first.length, HEADER_BYTES + share) }];
}

/** The bytes of the packets that are needed; `undefined` where reading the whole tile is as good. */
export function neededRanges(
  { order, needed }: WantedPackets,
  { offsets, lengths }: TilePackets,
  parts: readonly TilePart[],
): ByteRange[] | undefined {
  const ranges: ByteRange[] = [];
  order.sequence.forEach((precinct, i) => {
    if (needed[precinct] === 1 && lengths[i]! > 0) ranges.push({ offset: offsets[i]!, length: lengths[i]! });
  });
  const reads = mergeRanges(ranges);
  const bytes = reads.reduce((sum, { length }) => sum + length, 0);
  const whole = parts.reduce((sum, { length }) => sum + length, 0);
  return reads.length > MAX_READS || bytes > whole * WHOLE_ABOVE ? undefined : ranges;
}
