// A baseline JPEG encoder (ITU-T T.81): Huffman tables of annex K, 4:2:0 chroma, floating-point DCT of Arai, Agui and
// Nakajima. Written here because the JavaScript encoders to be had need Node's Buffer or keep full chroma.

/** Annex K.1 and K.2, in row order. */
const LUMINANCE = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
  87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
];
const CHROMINANCE = [
  17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99,
];
/** Zigzag position to row order (figure A.6). */
const ZIGZAG = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
  55, 62, 63,
];
const SCALE = [1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.5411961, 0.275899379];

/** Annex K.3: numbers of codes of each length, and their symbols. */
const DC_SYMBOLS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const DC_LUMINANCE_COUNTS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
const DC_CHROMINANCE_COUNTS = [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0];
const AC_LUMINANCE_COUNTS = [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d];
const AC_CHROMINANCE_COUNTS = [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77];
const AC_LUMINANCE_SYMBOLS = hex(
  "01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a" +
    "434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aa" +
    "b2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa",
);
const AC_CHROMINANCE_SYMBOLS = hex(
  "000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a" +
    "434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9" +
    "aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa",
);

function hex(text: string): number[] {
  return Array.from({ length: text.length / 2 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

interface HuffmanTable {
  readonly codes: Uint16Array;
  readonly lengths: Uint8Array;
}

function huffmanTable(counts: readonly number[], symbols: readonly number[]): HuffmanTable {
  const codes = new Uint16Array(256);
  const lengths = new Uint8Array(256);
  let code = 0;
  let at = 0;
  for (let length = 1; length <= 16; length++) {
    for (let i = 0; i < (counts[length - 1] as number); i++) {
      const symbol = symbols[at++] as number;
      codes[symbol] = code++;
      lengths[symbol] = length;
    }
    code <<= 1;
  }
  return { codes, lengths };
}

/** The quantization table at a quality, as libjpeg scales it. */
function quantization(base: readonly number[], quality: number): number[] {
  const scale = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  return base.map((value) => Math.min(255, Math.max(1, Math.floor((value * scale + 50) / 100))));
}

/** Reciprocals that undo the scaling of the DCT below and quantize. */
function divisors(table: readonly number[]): Float64Array {
  return Float64Array.from(table, (q, i) => 1 / (q * (SCALE[i >> 3] as number) * (SCALE[i & 7] as number) * 8));
}

/** One pass of eight values, `step` apart. */
function transform8(d: Float64Array, at: number, step: number): void {
  const d0 = d[at] as number;
  const d1 = d[at + step] as number;
  const d2 = d[at + 2 * step] as number;
  const d3 = d[at + 3 * step] as number;
  const d4 = d[at + 4 * step] as number;
  const d5 = d[at + 5 * step] as number;
  const d6 = d[at + 6 * step] as number;
  const d7 = d[at + 7 * step] as number;
  const s07 = d0 + d7;
  const s16 = d1 + d6;
  const s25 = d2 + d5;
  const s34 = d3 + d4;
  const even0 = s07 + s34;
  const even1 = s16 + s25;
  const even3 = s07 - s34;
  d[at] = even0 + even1;
  d[at + 4 * step] = even0 - even1;
  const turn = (s16 - s25 + even3) * Math.SQRT1_2;
  d[at + 2 * step] = even3 + turn;
  d[at + 6 * step] = even3 - turn;
  const odd0 = d3 - d4 + (d2 - d5);
  const odd1 = d2 - d5 + (d1 - d6);
  const odd2 = d1 - d6 + (d0 - d7);
  const z5 = (odd0 - odd2) * 0.382683433;
  const z2 = 0.5411961 * odd0 + z5;
  const z4 = 1.306562965 * odd2 + z5;
  const z3 = odd1 * Math.SQRT1_2;
  const z11 = d0 - d7 + z3;
  const z13 = d0 - d7 - z3;
  d[at + 5 * step] = z13 + z2;
  d[at + 3 * step] = z13 - z2;
  d[at + step] = z11 + z4;
  d[at + 7 * step] = z11 - z4;
}

class BitWriter {
  #bytes: Uint8Array;
  #length = 0;
  #buffer = 0;
  #bits = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  append(...values: number[]): void {
    for (const value of values) this.#byte(value);
  }

  word(value: number): void {
    this.append(value >> 8, value & 255);
  }

  #byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = value;
  }

  /** `length` at most 16; a byte 0xFF of coded data is followed by 0. */
  put(code: number, length: number): void {
    this.#buffer = (this.#buffer << length) | code;
    this.#bits += length;
    while (this.#bits >= 8) {
      const value = (this.#buffer >> (this.#bits - 8)) & 255;
      this.#byte(value);
      if (value === 255) this.#byte(0);
      this.#bits -= 8;
    }
    this.#buffer &= (1 << this.#bits) - 1;
  }

  /** Fills the last byte with ones. */
  flush(): void {
    if (this.#bits > 0) this.put((1 << (8 - this.#bits)) - 1, 8 - this.#bits);
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

/** One component: its samples, level-shifted, padded to whole blocks by repeating the edge. */
interface Component {
  readonly plane: Float32Array;
  readonly stride: number;
  readonly table: 0 | 1;
}

const BLOCK = new Float64Array(64);
const QUANTIZED = new Int32Array(64);

/** Codes one block; returns its DC value for the next block's difference. */
function putBlock(
  out: BitWriter,
  component: Component,
  x: number,
  y: number,
  previous: number,
  tables: Tables,
): number {
  const { plane, stride, table } = component;
  for (let row = 0; row < 8; row++) {
    const from = (y + row) * stride + x;
    for (let i = 0; i < 8; i++) BLOCK[row * 8 + i] = plane[from + i] as number;
  }
  for (let row = 0; row < 64; row += 8) transform8(BLOCK, row, 1);
  for (let column = 0; column < 8; column++) transform8(BLOCK, column, 8);
  const divide = tables.divisors[table];
  for (let i = 0; i < 64; i++) {
    const from = ZIGZAG[i] as number;
    const value = (BLOCK[from] as number) * (divide[from] as number);
    QUANTIZED[i] = value > 0 ? value + 0.5 : value - 0.5; // the array cuts towards zero: rounding, halves outwards
  }
  const dc = QUANTIZED[0] as number;
  const difference = dc - previous;
  putValue(out, tables.dc[table], 0, difference);
  let last = 63;
  while (last > 0 && QUANTIZED[last] === 0) last--;
  let run = 0;
  for (let i = 1; i <= last; i++) {
    const value = QUANTIZED[i] as number;
    if (value === 0) {
      run++;
      continue;
    }
    for (; run > 15; run -= 16) putSymbol(out, tables.ac[table], 0xf0);
    putValue(out, tables.ac[table], run, value);
    run = 0;
  }
  if (last < 63) putSymbol(out, tables.ac[table], 0);
  return dc;
}

function putSymbol(out: BitWriter, table: HuffmanTable, symbol: number): void {
  out.put(table.codes[symbol] as number, table.lengths[symbol] as number);
}

/** A run of zeros and a value: the Huffman code of both, then the value's bits (annex F.1.2). */
function putValue(out: BitWriter, table: HuffmanTable, run: number, value: number): void {
  const size = 32 - Math.clz32(value < 0 ? -value : value);
  putSymbol(out, table, (run << 4) | size);
  if (size > 0) out.put(value < 0 ? value + (1 << size) - 1 : value, size);
}

type Pair<T> = readonly [T, T];
interface Tables {
  readonly divisors: Pair<Float64Array>;
  readonly dc: Pair<HuffmanTable>;
  readonly ac: Pair<HuffmanTable>;
}

let huffman: { dc: Pair<HuffmanTable>; ac: Pair<HuffmanTable> } | undefined;

function luma(
  data: Uint8Array,
  channels: 1 | 3,
  width: number,
  height: number,
  stride: number,
  rows: number,
): Float32Array {
  const plane = new Float32Array(stride * rows);
  for (let y = 0; y < rows; y++) {
    const row = Math.min(y, height - 1) * width;
    for (let x = 0; x < stride; x++) {
      const at = (row + (x < width ? x : width - 1)) * channels;
      const value =
        channels === 1
          ? (data[at] as number)
          : 0.299 * (data[at] as number) + 0.587 * (data[at + 1] as number) + 0.114 * (data[at + 2] as number);
      plane[y * stride + x] = value - 128;
    }
  }
  return plane;
}

/** Cb and Cr (JFIF) as the mean of 2 × 2 pixels. */
function chroma(data: Uint8Array, width: number, height: number, stride: number, rows: number): Pair<Float32Array> {
  const blue = new Float32Array(stride * rows);
  const red = new Float32Array(stride * rows);
  for (let y = 0, to = 0; y < rows; y++) {
    const top = Math.min(2 * y, height - 1) * width;
    const below = Math.min(2 * y + 1, height - 1) * width;
    for (let x = 0; x < stride; x++, to++) {
      const left = Math.min(2 * x, width - 1);
      const right = Math.min(2 * x + 1, width - 1);
      const i = (top + left) * 3;
      const j = (top + right) * 3;
      const k = (below + left) * 3;
      const l = (below + right) * 3;
      const r = ((data[i] as number) + (data[j] as number) + (data[k] as number) + (data[l] as number)) / 4;
      const g =
        ((data[i + 1] as number) + (data[j + 1] as number) + (data[k + 1] as number) + (data[l + 1] as number)) / 4;
      const b =
        ((data[i + 2] as number) + (data[j + 2] as number) + (data[k + 2] as number) + (data[l + 2] as number)) / 4;
      blue[to] = -0.168735892 * r - 0.331264108 * g + 0.5 * b;
      red[to] = 0.5 * r - 0.418687589 * g - 0.081312411 * b;
    }
  }
  return [blue, red];
}

/** A baseline JFIF file of grey (1 channel) or RGB pixels; chroma is halved both ways. `quality` 1 to 100 as in libjpeg. */
export function encodeJpeg(
  data: Uint8Array,
  channels: 1 | 3,
  width: number,
  height: number,
  quality: number,
): Uint8Array {
  huffman ??= {
    dc: [huffmanTable(DC_LUMINANCE_COUNTS, DC_SYMBOLS), huffmanTable(DC_CHROMINANCE_COUNTS, DC_SYMBOLS)],
    ac: [
      huffmanTable(AC_LUMINANCE_COUNTS, AC_LUMINANCE_SYMBOLS),
      huffmanTable(AC_CHROMINANCE_COUNTS, AC_CHROMINANCE_SYMBOLS),
    ],
  };
  const quantizers = [quantization(LUMINANCE, quality), quantization(CHROMINANCE, quality)] as const;
  const tables: Tables = { divisors: [divisors(quantizers[0]), divisors(quantizers[1])], ...huffman };
  const unit = channels === 1 ? 8 : 16;
  const across = Math.ceil(width / unit);
  const down = Math.ceil(height / unit);
  const out = new BitWriter(1024 + (width * height * channels) / 4);

  out.append(0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0);
  for (let id = 0; id < (channels === 1 ? 1 : 2); id++) {
    out.append(0xff, 0xdb, 0, 67, id);
    for (const from of ZIGZAG) out.append(quantizers[id as 0 | 1][from] as number);
  }
  out.append(0xff, 0xc0);
  out.word(8 + 3 * channels);
  out.append(8);
  out.word(height);
  out.word(width);
  out.append(channels);
  for (let i = 0; i < channels; i++) out.append(i + 1, channels === 3 && i === 0 ? 0x22 : 0x11, i === 0 ? 0 : 1);
  const sets: [id: number, counts: readonly number[], symbols: readonly number[]][] = [
    [0x00, DC_LUMINANCE_COUNTS, DC_SYMBOLS],
    [0x10, AC_LUMINANCE_COUNTS, AC_LUMINANCE_SYMBOLS],
    [0x01, DC_CHROMINANCE_COUNTS, DC_SYMBOLS],
    [0x11, AC_CHROMINANCE_COUNTS, AC_CHROMINANCE_SYMBOLS],
  ];
  for (const [id, counts, symbols] of sets.slice(0, channels === 1 ? 2 : 4)) {
    out.append(0xff, 0xc4);
    out.word(19 + symbols.length);
    out.append(id, ...counts, ...symbols);
  }
  out.append(0xff, 0xda);
  out.word(6 + 2 * channels);
  out.append(channels);
  for (let i = 0; i < channels; i++) out.append(i + 1, i === 0 ? 0x00 : 0x11);
  out.append(0, 63, 0);

  const stride = across * unit;
  const y: Component = { plane: luma(data, channels, width, height, stride, down * unit), stride, table: 0 };
  const [blue, red] = channels === 3 ? chroma(data, width, height, stride / 2, down * 8) : [];
  let dcY = 0;
  let dcBlue = 0;
  let dcRed = 0;
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      for (let i = 0; i < unit; i += 8) {
        for (let j = 0; j < unit; j += 8) dcY = putBlock(out, y, column * unit + j, row * unit + i, dcY, tables);
      }
      if (blue && red) {
        const half = stride / 2;
        dcBlue = putBlock(out, { plane: blue, stride: half, table: 1 }, column * 8, row * 8, dcBlue, tables);
        dcRed = putBlock(out, { plane: red, stride: half, table: 1 }, column * 8, row * 8, dcRed, tables);
      }
    }
  }
  out.flush();
  out.append(0xff, 0xd9);
  return out.bytes();
}
