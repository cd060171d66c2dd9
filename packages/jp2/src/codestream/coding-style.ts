import { CogError } from "@swath/cog";
import { viewOf } from "./markers.ts";

/** The coding of the samples of one component (SPcod and SPcoc, ITU-T T.800 A.6.1 and A.6.2). */
export interface ComponentStyle {
  /** Decomposition levels. */
  readonly levels: number;
  /** Logarithms to base 2 of the sides of a code-block. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Logarithms to base 2 of the sides of the precincts of each resolution, coarsest first. */
  readonly precincts: readonly (readonly [width: number, height: number])[];
}

/** The coding of a tile. */
export interface CodingStyle {
  readonly progression: Progression;
  readonly layers: number;
  /** Packet headers end with a marker (EPH). */
  readonly endMarkers: boolean;
  /** By component. */
  readonly components: readonly ComponentStyle[];
}

/** Order of packets: L layer, R resolution, C component, P position. */
export type Progression = "LRCP" | "RLCP" | "RPCL" | "PCRL" | "CPRL";

const PROGRESSIONS: readonly Progression[] = ["LRCP", "RLCP", "RPCL", "PCRL", "CPRL"];
const MAX_LEVELS = 32;
/** Without stated precincts each resolution has one of this logarithm. */
const WHOLE = 15;
/** Bit of the code-block style that says High Throughput (ITU-T T.814). */
const HIGH_THROUGHPUT = 0x40;
/** Offset of SPcod in a COD marker segment, behind Scod and SGcod. */
const COD_STYLE = 9;

/**
 * Reads the COD marker segment and those of COC, which replace it for single components.
 *
 * @throws {CogError} `corrupt`, or `unsupported` for High Throughput
 */
export function parseCodingStyle(
  cod: Uint8Array,
  cocs: readonly Uint8Array[],
  components: number,
  key: string,
): CodingStyle {
  if (cod.length < COD_STYLE + 5) throw corrupt(key, "a COD marker segment that is too short");
  const view = viewOf(cod);
  const scod = view.getUint8(4);
  const progression = PROGRESSIONS[view.getUint8(5)];
  const layers = view.getUint16(6);
  if (progression === undefined || layers === 0) throw corrupt(key, "an unknown order of packets, or no layers");
  const common = parseStyle(cod, COD_STYLE, (scod & 1) === 1, key);
  const styles: ComponentStyle[] = Array.from({ length: components }, () => common);
  for (const coc of cocs) {
    if (coc.length < 6 + 5) throw corrupt(key, "a COC marker segment that is too short");
    const component = viewOf(coc).getUint8(4);
    if (component < components) styles[component] = parseStyle(coc, 6, (coc[5]! & 1) === 1, key);
  }
  return { progression, layers, endMarkers: (scod & 4) === 4, components: styles };
}

function parseStyle(segment: Uint8Array, at: number, hasPrecincts: boolean, key: string): ComponentStyle {
  const levels = segment[at]!;
  const blockWidth = (segment[at + 1]! & 0x0f) + 2;
  const blockHeight = (segment[at + 2]! & 0x0f) + 2;
  if (levels > MAX_LEVELS || blockWidth > 10 || blockHeight > 10 || blockWidth + blockHeight > 12) {
    throw corrupt(key, `${levels} decomposition levels and code-blocks of 2^${blockWidth} x 2^${blockHeight}`);
  }
  if ((segment[at + 3]! & HIGH_THROUGHPUT) !== 0) {
    throw new CogError("unsupported", `${key}: High-Throughput JPEG 2000 is not read.`);
  }
  if (hasPrecincts && segment.length < at + 5 + levels + 1)
    throw corrupt(key, "precincts for a part of its resolutions");
  const precincts = Array.from({ length: levels + 1 }, (_, resolution): readonly [number, number] => {
    const sides = hasPrecincts ? segment[at + 5 + resolution]! : (WHOLE << 4) | WHOLE;
    const [width, height] = [sides & 0x0f, sides >> 4];
    // precincts of a decomposed resolution are divided among its sub-bands, which takes a bit of each side
    if (resolution > 0 && (width === 0 || height === 0)) throw corrupt(key, "precincts without sides");
    return [width, height];
  });
  return { levels, blockWidth, blockHeight, precincts };
}

/** Decomposition levels that every component has. */
export function commonLevels({ components }: CodingStyle): number {
  return Math.min(...components.map(({ levels }) => levels));
}

/**
 * A COD or COC marker segment of the image with `reduction` resolutions fewer: its finest ones are left out.
 * Quantization of the others does not depend on how many there are.
 */
export function reduceStyle(segment: Uint8Array, reduction: number): Uint8Array {
  const isCod = segment[1] === 0x52;
  const at = isCod ? COD_STYLE : 6;
  const hasPrecincts = (segment[isCod ? 4 : 5]! & 1) === 1;
  const levels = segment[at]! - reduction;
  const reduced = segment.slice(0, at + 5 + (hasPrecincts ? levels + 1 : 0));
  reduced[at] = levels;
  viewOf(reduced).setUint16(2, reduced.length - 2);
  return reduced;
}

/** A QCD or QCC marker segment without the step sizes of the `reduction` finest resolutions (ITU-T T.800 A.6.4). */
export function reduceQuantization(segment: Uint8Array, reduction: number): Uint8Array {
  const at = segment[1] === 0x5c ? 4 : 5;
  const style = segment[at]! & 0x1f;
  // derived step sizes are one for all sub-bands
  if (style === 1) return segment;
  const dropped = 3 * reduction * (style === 0 ? 1 : 2);
  if (segment.length - dropped <= at + 1) return segment;
  const reduced = segment.slice(0, segment.length - dropped);
  viewOf(reduced).setUint16(2, reduced.length - 2);
  return reduced;
}

function corrupt(key: string, what: string): CogError {
  return new CogError("corrupt", `${key}: its JPEG 2000 header declares ${what}.`);
}
