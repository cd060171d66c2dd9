/** Marker codes of a codestream (ITU-T T.800, table A.2). */
export const MARKER = {
  SOC: 0xff4f,
  CAP: 0xff50,
  SIZ: 0xff51,
  COD: 0xff52,
  COC: 0xff53,
  TLM: 0xff55,
  PLT: 0xff58,
  QCD: 0xff5c,
  QCC: 0xff5d,
  RGN: 0xff5e,
  POC: 0xff5f,
  PPM: 0xff60,
  PPT: 0xff61,
  COM: 0xff64,
  SOT: 0xff90,
  EPH: 0xff92,
  SOD: 0xff93,
  EOC: 0xffd9,
} as const;

/** A marker segment: its marker, length and parameters. */
export interface Segment {
  readonly marker: number;
  /** All of it, from the marker on. */
  readonly bytes: Uint8Array;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
