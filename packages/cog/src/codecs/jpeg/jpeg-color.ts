/** One component as decoded: rows `stride` apart, of which `width × height` samples are real. */
export interface Plane {
  readonly data: Uint8ClampedArray;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Brings a plane to the size of the image as libjpeg-turbo does by default (jdsample.c, "fancy upsampling"):
 * triangle filters for factors of 2, repetition for others and for planes at most 2 wide.
 */
export function upsample(plane: Plane, across: number, down: number, width: number, height: number): Plane {
  if (across === 1 && down === 1) return plane;
  const smooth = plane.width > 2;
  if (across === 2 && down === 1 && smooth) return doubleWidth(plane, height);
  if (across === 2 && down === 2 && smooth) return doubleBoth(plane, height);
  if (across === 1 && down === 2 && smooth) return doubleHeight(plane, height);
  const data = new Uint8ClampedArray(width * height);
  for (let row = 0; row < height; row++) {
    const from = Math.floor(row / down) * plane.stride;
    for (let column = 0; column < width; column++)
      data[row * width + column] = plane.data[from + Math.floor(column / across)]!;
  }
  return { data, stride: width, width, height };
}

function doubleWidth({ data: source, stride, width }: Plane, height: number): Plane {
  const data = new Uint8ClampedArray(width * 2 * height);
  for (let row = 0; row < height; row++) {
    const from = row * stride;
    let to = row * width * 2;
    data[to++] = source[from]!;
    data[to++] = (source[from]! * 3 + source[from + 1]! + 2) >> 2;
    for (let i = from + 1; i < from + width - 1; i++) {
      const value = source[i]! * 3;
      data[to++] = (value + source[i - 1]! + 1) >> 2;
      data[to++] = (value + source[i + 1]! + 2) >> 2;
    }
    const last = from + width - 1;
    data[to++] = (source[last]! * 3 + source[last - 1]! + 1) >> 2;
    data[to] = source[last]!;
  }
  return { data, stride: width * 2, width: width * 2, height };
}

function doubleHeight({ data: source, stride, width, height: rows }: Plane, height: number): Plane {
  const data = new Uint8ClampedArray(width * height);
  for (let row = 0; row < height; row++) {
    const near = row >> 1;
    const far = Math.min(rows - 1, Math.max(0, near + (row & 1 ? 1 : -1)));
    const bias = row & 1 ? 2 : 1;
    for (let i = 0; i < width; i++) {
      data[row * width + i] = (source[near * stride + i]! * 3 + source[far * stride + i]! + bias) >> 2;
    }
  }
  return { data, stride: width, width, height };
}

function doubleBoth({ data: source, stride, width, height: rows }: Plane, height: number): Plane {
  const data = new Uint8ClampedArray(width * 2 * height);
  for (let row = 0; row < height; row++) {
    const middle = row >> 1;
    const near = middle * stride;
    const far = Math.min(rows - 1, Math.max(0, middle + (row & 1 ? 1 : -1))) * stride;
    let to = row * width * 2;
    let previous = 0;
    let sum = source[near]! * 3 + source[far]!;
    let next = source[near + 1]! * 3 + source[far + 1]!;
    data[to++] = (sum * 4 + 8) >> 4;
    data[to++] = (sum * 3 + next + 7) >> 4;
    for (let i = 2; i < width; i++) {
      previous = sum;
      sum = next;
      next = source[near + i]! * 3 + source[far + i]!;
      data[to++] = (sum * 3 + previous + 8) >> 4;
      data[to++] = (sum * 3 + next + 7) >> 4;
    }
    previous = sum;
    sum = next;
    data[to++] = (sum * 3 + previous + 8) >> 4;
    data[to] = (sum * 4 + 7) >> 4;
  }
  return { data, stride: width * 2, width: width * 2, height };
}

// jdcolor.c: 16-bit fixed point, rounded
const RED = new Int32Array(256);
const BLUE = new Int32Array(256);
const GREEN_CR = new Int32Array(256);
const GREEN_CB = new Int32Array(256);
for (let i = 0; i < 256; i++) {
  const x = i - 128;
  RED[i] = (91881 * x + 32768) >> 16;
  BLUE[i] = (116130 * x + 32768) >> 16;
  GREEN_CR[i] = -46802 * x;
  GREEN_CB[i] = -22554 * x + 32768;
}

/** YCbCr to interleaved RGB. */
export function toRgb(planes: readonly [Plane, Plane, Plane], width: number, height: number): Uint8Array {
  const rgb = new Uint8ClampedArray(width * height * 3);
  const [luma, cb, cr] = planes;
  let to = 0;
  for (let row = 0; row < height; row++) {
    for (let i = 0; i < width; i++, to += 3) {
      const y = luma.data[row * luma.stride + i]!;
      const b = cb.data[row * cb.stride + i]!;
      const r = cr.data[row * cr.stride + i]!;
      rgb[to] = y + RED[r]!;
      rgb[to + 1] = y + ((GREEN_CB[b]! + GREEN_CR[r]!) >> 16);
      rgb[to + 2] = y + BLUE[b]!;
    }
  }
  return new Uint8Array(rgb.buffer);
}

/** Planes side by side, as they are. */
export function interleave(planes: readonly Plane[], width: number, height: number): Uint8Array {
  const out = new Uint8Array(width * height * planes.length);
  planes.forEach((plane, band) => {
    let to = band;
    for (let row = 0; row < height; row++) {
      for (let i = 0; i < width; i++, to += planes.length) out[to] = plane.data[row * plane.stride + i]!;
    }
  });
  return out;
}
