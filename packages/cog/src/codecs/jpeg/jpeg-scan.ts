import { CogError } from "../../errors.ts";
import { inverseDct } from "./jpeg-idct.ts";

/** Natural position of each coefficient of the zigzag, padded for runs past the end. */
const ZIGZAG = Uint8Array.of(
  0,
  1,
  8,
  16,
  9,
  2,
  3,
  10,
  17,
  24,
  32,
  25,
  18,
  11,
  4,
  5,
  12,
  19,
  26,
  33,
  40,
  48,
  41,
  34,
  27,
  20,
  13,
  6,
  7,
  14,
  21,
  28,
  35,
  42,
  49,
  56,
  57,
  50,
  43,
  36,
  29,
  22,
  15,
  23,
  30,
  37,
  44,
  51,
  58,
  59,
  52,
  45,
  38,
  31,
  39,
  46,
  53,
  60,
  61,
  54,
  47,
  55,
  62,
  63,
  63,
  63,
  63,
  63,
  63,
  63,
  63,
  63,
  63,
  63,
  63,
  63,
  63,
  63,
  63,
  63,
);

export function toNatural(zigzag: ArrayLike<number>): Int32Array {
  const natural = new Int32Array(64);
  for (let i = 0; i < 64; i++) natural[ZIGZAG[i]!] = zigzag[i]!;
  return natural;
}

const LOOKUP_BITS = 9;

/** A Huffman table (ITU-T T.81 annex F.2.2.3) with a lookup for codes of up to 9 bits. */
export interface HuffmanTable {
  /** `length << 8 | symbol`, 0 where the code is longer. */
  readonly lookup: Int32Array;
  /** Largest code of each length, −1 where there is none. */
  readonly maxCode: Int32Array;
  /** The number that gives the index of a symbol when it is added to a code, for each length. */
  readonly delta: Int32Array;
  readonly symbols: Uint8Array;
}

/** @throws {CogError} `corrupt` when the counts do not make a code. */
export function huffmanTable(counts: Uint8Array, symbols: Uint8Array): HuffmanTable {
  const lookup = new Int32Array(1 << LOOKUP_BITS);
  const maxCode = new Int32Array(18).fill(-1);
  const delta = new Int32Array(18);
  let code = 0;
  let index = 0;
  for (let length = 1; length <= 16; length++) {
    const count = counts[length - 1]!;
    delta[length] = index - code;
    for (let i = 0; i < count; i++, code++, index++) {
      if (code >= 1 << length) throw new CogError("corrupt", "A Huffman table of a JPEG block is damaged.");
      if (length > LOOKUP_BITS) continue;
      const first = code << (LOOKUP_BITS - length);
      lookup.fill((length << 8) | symbols[index]!, first, first + (1 << (LOOKUP_BITS - length)));
    }
    if (count > 0) maxCode[length] = code - 1;
    code <<= 1;
  }
  return { lookup, maxCode, delta, symbols };
}

export interface Component {
  readonly id: number;
  readonly across: number;
  readonly down: number;
  readonly quantization: number;
  /** Samples of the component, whole MCUs. */
  readonly data: Uint8ClampedArray;
  readonly stride: number;
}

export interface ScanComponent {
  readonly component: Component;
  readonly table: Int32Array;
  readonly dc: HuffmanTable;
  readonly ac: HuffmanTable;
}

/** The bits of a scan: stuffed zeros are taken out, a marker ends them. */
class Bits {
  readonly bytes: Uint8Array;
  at: number;
  held = 0;
  count = 0;
  /** Bits made up after the end; a decoder that uses many of them has run out of data. */
  invented = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  fill(): void {
    while (this.count <= 16) {
      let byte = 0;
      if (this.at < this.bytes.length) {
        byte = this.bytes[this.at]!;
        if (byte === 0xff) {
          if (this.bytes[this.at + 1] === 0) this.at += 2;
          else {
            byte = 0;
            this.invented += 8;
          }
        } else this.at++;
      } else this.invented += 8;
      this.held = ((this.held << 8) | byte) & 0xffffff;
      this.count += 8;
    }
  }

  symbol(table: HuffmanTable): number {
    if (this.count < 16) this.fill();
    const found = table.lookup[(this.held >>> (this.count - LOOKUP_BITS)) & ((1 << LOOKUP_BITS) - 1)]!;
    if (found !== 0) {
      this.count -= found >> 8;
      return found & 255;
    }
    for (let length = LOOKUP_BITS + 1; length <= 16; length++) {
      const code = (this.held >>> (this.count - length)) & ((1 << length) - 1);
      if (code <= table.maxCode[length]!) {
        this.count -= length;
        return table.symbols[code + table.delta[length]!]!;
      }
    }
    throw new CogError("corrupt", "A JPEG block has a code that is in no table.");
  }

  /** A signed value of `size` bits (T.81 F.2.2.1, EXTEND). */
  value(size: number): number {
    if (size === 0) return 0;
    if (this.count < size) this.fill();
    this.count -= size;
    const value = (this.held >>> this.count) & ((1 << size) - 1);
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
  }

  /**
   * Ends an interval: all its bits are used except those that fill its last byte (T.81 F.1.2.3), and a marker or the
   * end of the bytes follows. A damaged code mostly stands for another number of bits, and of samples.
   *
   * @returns where the marker stands
   * @throws {CogError} `corrupt`
   */
  end(): number {
    if (this.invented > this.count) throw new CogError("corrupt", "A JPEG block ends before its image does.");
    const left = this.count - this.invented;
    const isMarker = this.at >= this.bytes.length || (this.bytes[this.at] === 0xff && this.bytes[this.at + 1] !== 0);
    if (left >= 8 || !isMarker) throw new CogError("corrupt", "A JPEG block holds more than its image.");
    // any number of bytes 0xff may come before a marker
    while (this.bytes[this.at] === 0xff && this.bytes[this.at + 1] === 0xff) this.at++;
    return this.at;
  }

  /** Goes on after the restart marker of this number. */
  restart(number: number): void {
    const at = this.end();
    if (this.bytes[at + 1] !== 0xd0 + (number & 7)) {
      throw new CogError("corrupt", "A JPEG block lacks a restart marker.");
    }
    this.at = at + 2;
    this.held = 0;
    this.count = 0;
    this.invented = 0;
  }
}

/**
 * Decodes a scan of a baseline JPEG into its components' samples.
 *
 * @returns where the marker after it stands
 * @throws {CogError} `corrupt` when codes are undefined, or the data end before or after the image.
 */
export function decodeScan(
  bytes: Uint8Array,
  at: number,
  parts: readonly ScanComponent[],
  mcusAcross: number,
  mcusDown: number,
  restartInterval: number,
): number {
  const bits = new Bits(bytes, at);
  const coefficients = new Int32Array(64);
  const previous = new Int32Array(parts.length);
  const single = parts.length === 1;
  let untilRestart = restartInterval;
  let restarts = 0;
  for (let row = 0; row < mcusDown; row++) {
    for (let column = 0; column < mcusAcross; column++) {
      if (restartInterval > 0) {
        if (untilRestart === 0) {
          bits.restart(restarts++);
          previous.fill(0);
          untilRestart = restartInterval;
        }
        untilRestart--;
      }
      for (let p = 0; p < parts.length; p++) {
        const { component, table, dc, ac } = parts[p]!;
        const { data, stride } = component;
        // a scan of one component has one block per MCU, whatever its sampling factors
        const across = single ? 1 : component.across;
        const down = single ? 1 : component.down;
        for (let v = 0; v < down; v++) {
          for (let h = 0; h < across; h++) {
            coefficients.fill(0);
            const difference = bits.symbol(dc);
            if (difference > 15)
              throw new CogError("corrupt", "A JPEG block has a DC difference of more than 15 bits.");
            previous[p] = previous[p]! + bits.value(difference);
            coefficients[0] = previous[p]!;
            for (let k = 1; k < 64; k++) {
              const symbol = bits.symbol(ac);
              const size = symbol & 15;
              if (size === 0) {
                if (symbol !== 0xf0) break;
                k += 15;
                continue;
              }
              k += symbol >> 4;
              if (k > 63) throw new CogError("corrupt", "A JPEG block has a run that ends after its 64 coefficients.");
              coefficients[ZIGZAG[k]!] = bits.value(size);
            }
            inverseDct(coefficients, table, data, (row * down + v) * 8 * stride + (column * across + h) * 8, stride);
          }
        }
      }
      // up to 31 bits are read ahead of their use
      if (bits.invented > 64) throw new CogError("corrupt", "A JPEG block ends before its image does.");
    }
  }
  return bits.end();
}
