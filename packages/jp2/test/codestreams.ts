/** The declarations of a test's codestream; sizes are square. */
export interface Declared {
  readonly side?: number;
  readonly tile?: number;
  readonly components?: number;
  readonly bits?: number;
  readonly levels?: number;
  readonly layers?: number;
  readonly progression?: number;
  /** Exponents of a code-block's side, less 2, as stored. */
  readonly block?: number;
  /** A byte of precinct exponents for each resolution; absent: none are stated. */
  readonly precinct?: number;
  /** Bytes after the header of the one tile-part. */
  readonly data?: Uint8Array;
  /** Marker segments after COD and QCD, whole. */
  readonly segments?: readonly Uint8Array[];
  /** The number of the tile, and the length that its part states. */
  readonly tileIndex?: number;
  readonly partLength?: number;
}

/** A JPEG 2000 codestream of one tile-part that declares what is asked for, true or not (ITU-T T.800, annex A). */
export function codestream(declared: Declared = {}): Uint8Array {
  const { side = 64, tile = side, components = 1, bits = 8, levels = 1, layers = 1, progression = 0 } = declared;
  const { block = 4, precinct, data = new Uint8Array(8), segments = [], tileIndex = 0, partLength } = declared;
  const size = [
    0,
    0,
    ...u32(side),
    ...u32(side),
    ...u32(0),
    ...u32(0),
    ...u32(tile),
    ...u32(tile),
    ...u32(0),
    ...u32(0),
  ];
  const precincts = precinct === undefined ? [] : Array<number>(levels + 1).fill(precinct);
  const style = [
    precinct === undefined ? 0 : 1,
    progression,
    ...u16(layers),
    0,
    levels,
    block,
    block,
    0,
    1,
    ...precincts,
  ];
  const part = [...u16(tileIndex), ...u32(partLength ?? 14 + data.length), 0, 1];
  return Uint8Array.from([
    ...[0xff, 0x4f],
    ...segment(0x51, [
      ...size,
      ...u16(components),
      ...Array(components)
        .fill([bits - 1, 1, 1])
        .flat(),
    ]),
    ...segment(0x52, style),
    ...segment(0x5c, [0x40, ...Array<number>(3 * levels + 1).fill(8 << 3)]),
    ...segments.flatMap((bytes) => [...bytes]),
    ...segment(0x90, part),
    ...[0xff, 0x93],
    ...data,
    ...[0xff, 0xd9],
  ]);
}

/** A marker segment with its length. */
export function segment(marker: number, parameters: readonly number[]): Uint8Array {
  return Uint8Array.from([0xff, marker, ...u16(parameters.length + 2), ...parameters]);
}

export const u16 = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];
export const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value & 0xffff)];
