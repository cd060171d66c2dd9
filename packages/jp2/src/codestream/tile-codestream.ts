import { commonLevels, reduceQuantization, reduceStyle } from "./coding-style.ts";
import { type Rect, rectHeight, rectWidth, reduceRect } from "./image-size.ts";
import type { MainHeader } from "./main-header.ts";
import { MARKER, viewOf } from "./markers.ts";
import { type PacketOrder, packetOrder } from "./packets.ts";
import { SOT_BYTES } from "./tile-parts.ts";

const SOC = Uint8Array.of(0xff, 0x4f);
const EOC = Uint8Array.of(0xff, 0xd9);
const SOD = Uint8Array.of(0xff, 0x93);

/**
 * A codestream with one tile alone, as it is stored: the decoder is asked for a reduced resolution.
 *
 * @param tile where it is on the reference grid
 * @param parts its tile-parts, whole
 */
export function wholeTile(header: MainHeader, tile: Rect, parts: readonly Uint8Array[]): Uint8Array {
  const chunks: Uint8Array[] = [SOC];
  for (const { marker, bytes } of header.segments) chunks.push(marker === MARKER.SIZ ? withSize(bytes, tile) : bytes);
  for (const part of parts) {
    // not a slice, which of Node's buffers is no copy
    const start = Uint8Array.from(part.subarray(0, SOT_BYTES));
    viewOf(start).setUint16(4, 0);
    viewOf(start).setUint32(6, part.length);
    chunks.push(start, part.subarray(SOT_BYTES));
  }
  chunks.push(EOC);
  return joined(chunks);
}

/**
 * A codestream with one tile alone, whose image is the tile at a resolution with `reduction` decomposition levels fewer, made of
 * the packets of coarser resolutions. Sub-bands have the same samples in both: their coordinates and the step sizes of
 * quantization do not depend on finer resolutions (ITU-T T.800 B.5, E.1).
 *
 * @param tile where it is on the reference grid of the whole image
 * @param order of all its packets
 * @param packet bytes of a packet by its index in `order.sequence`; `undefined`: the codestream has an empty one in its place
 */
export function reducedTile(
  header: MainHeader,
  tile: Rect,
  reduction: number,
  order: PacketOrder,
  packet: (index: number) => Uint8Array | undefined,
): Uint8Array {
  const rect = reduceRect(tile, reduction);
  const chunks: Uint8Array[] = [SOC];
  for (const { marker, bytes } of header.segments) {
    if (marker === MARKER.SIZ) chunks.push(withSize(bytes, rect));
    else if (marker === MARKER.COD || marker === MARKER.COC) chunks.push(reduceStyle(bytes, reduction));
    else if (marker === MARKER.QCD || marker === MARKER.QCC) chunks.push(reduceQuantization(bytes, reduction));
    else chunks.push(bytes);
  }
  const data = packetsOf(header, rect, reduction, order, packet);
  const length = data.reduce((sum, chunk) => sum + chunk.length, 0);
  chunks.push(startOfTile(SOT_BYTES + SOD.length + length), SOD, ...data, EOC);
  return joined(chunks);
}

/** Packets in the order of the reduced image, which may differ from their order in the whole one. */
function packetsOf(
  { coding }: MainHeader,
  rect: Rect,
  reduction: number,
  order: PacketOrder,
  packet: (index: number) => Uint8Array | undefined,
): Uint8Array[] {
  const empty = coding.endMarkers ? Uint8Array.of(0, 0xff, 0x92) : Uint8Array.of(0);
  const indices = indicesByPrecinct(order);
  const components = coding.components.map((style) => ({ ...style, levels: style.levels - reduction }));
  const reduced = packetOrder(rect, { ...coding, components });
  const layers = new Map<string, number>();
  return Array.from(reduced.sequence, (at) => {
    const { component, resolution, column, row } = reduced.precincts[at]!;
    const name = `${component} ${resolution} ${column} ${row}`;
    const layer = layers.get(name) ?? 0;
    layers.set(name, layer + 1);
    const index = indices.get(name)?.[layer];
    return (index === undefined ? undefined : packet(index)) ?? empty;
  });
}

/** Indices of the packets of each precinct, by layer. */
function indicesByPrecinct({ precincts, sequence }: PacketOrder): Map<string, number[]> {
  const indices = new Map<string, number[]>();
  sequence.forEach((at, i) => {
    const { component, resolution, column, row } = precincts[at]!;
    const name = `${component} ${resolution} ${column} ${row}`;
    const own = indices.get(name);
    if (own === undefined) indices.set(name, [i]);
    else own.push(i);
  });
  return indices;
}

/** Can an image be made of the coarser resolutions alone? */
export function canReduce({ coding, changesProgression }: MainHeader, reduction: number): boolean {
  return !changesProgression && reduction <= commonLevels(coding);
}

/** A SIZ marker segment of an image that is one tile. */
function withSize(siz: Uint8Array, rect: Rect): Uint8Array {
  const own = siz.slice();
  const view = viewOf(own);
  view.setUint32(6, rect.x1);
  view.setUint32(10, rect.y1);
  view.setUint32(14, rect.x0);
  view.setUint32(18, rect.y0);
  view.setUint32(22, rectWidth(rect));
  view.setUint32(26, rectHeight(rect));
  view.setUint32(30, rect.x0);
  view.setUint32(34, rect.y0);
  return own;
}

function startOfTile(length: number): Uint8Array {
  const bytes = new Uint8Array(SOT_BYTES);
  const view = viewOf(bytes);
  view.setUint16(0, MARKER.SOT);
  view.setUint16(2, 10);
  view.setUint32(6, length);
  bytes[11] = 1;
  return bytes;
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
