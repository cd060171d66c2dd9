/** Deterministic noise: the same seed gives the same numbers on every machine (integer hashing, no Math.random). */

/** Mixes three integers to 32 well-spread bits (finalizer of MurmurHash3, public domain). */
export function hash32(seed: number, a: number, b: number): number {
  let h = (seed ^ Math.imul(a | 0, 0x9e3779b1) ^ Math.imul(b | 0, 0x85ebca77)) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** `hash32` as a number in [0, 1). */
export function hashUnit(seed: number, a: number, b: number): number {
  return hash32(seed, a, b) / 4294967296;
}

/** 0 below `low`, 1 above `high`, smooth between. */
export function smoothstep(low: number, high: number, value: number): number {
  const t = (value - low) / (high - low);
  if (t <= 0) return 0;
  if (t >= 1) return 1;
  return t * t * (3 - 2 * t);
}

/** Gradient noise of the plane, about −1 to 1, one bump per unit (K. Perlin, "Improving noise", SIGGRAPH 2002). */
export type Noise = (x: number, y: number) => number;

const TABLE = 1024;
const MASK = TABLE - 1;

/** The lattice repeats after 1024 units, further than any landscape here reaches at any octave that can be seen. */
export function gradientNoise(seed: number): Noise {
  const permutation = new Uint16Array(TABLE + 1);
  for (let i = 0; i < TABLE; i++) permutation[i] = i;
  for (let i = TABLE - 1; i > 0; i--) {
    const j = hash32(seed, i, 77) % (i + 1);
    const swap = permutation[i]!;
    permutation[i] = permutation[j]!;
    permutation[j] = swap;
  }
  permutation[TABLE] = permutation[0]!;
  const gradients = new Float64Array(TABLE * 2);
  for (let i = 0; i < TABLE; i++) {
    // points on the unit circle by rejection: Math.cos may differ in the last bit between engines
    let x = 1;
    let y = 0;
    for (let n = 0; n < 64; n++) {
      x = hashUnit(seed, i, 2 * n + 1) * 2 - 1;
      y = hashUnit(seed, i, 2 * n + 2) * 2 - 1;
      const d = x * x + y * y;
      if (d > 0.01 && d <= 1) {
        const length = Math.sqrt(d);
        x /= length;
        y /= length;
        break;
      }
    }
    gradients[2 * i] = x * 1.5;
    gradients[2 * i + 1] = y * 1.5;
  }
  // gradients in the order of the permutation: a corner of the lattice needs one look-up less
  const corners = new Float64Array(TABLE * 2);
  for (let i = 0; i < TABLE; i++) {
    corners.set(gradients.subarray(2 * permutation[i]!, 2 * permutation[i]! + 2), 2 * i);
  }
  return (x, y) => {
    const fx = Math.floor(x);
    const fy = Math.floor(y);
    const u = x - fx;
    const v = y - fy;
    const ix = fx & MASK;
    const iy = fy & MASK;
    const a = permutation[ix]! + iy;
    const b = permutation[ix + 1]! + iy;
    const h00 = (a & MASK) * 2;
    const h10 = (b & MASK) * 2;
    const h01 = ((a + 1) & MASK) * 2;
    const h11 = ((b + 1) & MASK) * 2;
    const su = u * u * u * (u * (u * 6 - 15) + 10);
    const sv = v * v * v * (v * (v * 6 - 15) + 10);
    const n00 = corners[h00]! * u + corners[h00 + 1]! * v;
    const n10 = corners[h10]! * (u - 1) + corners[h10 + 1]! * v;
    const n01 = corners[h01]! * u + corners[h01 + 1]! * (v - 1);
    const n11 = corners[h11]! * (u - 1) + corners[h11 + 1]! * (v - 1);
    const top = n00 + su * (n10 - n00);
    return top + sv * (n01 + su * (n11 - n01) - top);
  };
}

/** Sum of `octaves` of noise, each half as large and twice as fine; about −1 to 1. */
export function fractal(noise: Noise, x: number, y: number, octaves: number): number {
  let sum = 0;
  let amplitude = 0.55;
  for (let i = 0; i < octaves; i++) {
    sum += amplitude * noise(x, y);
    // an irrational-looking turn and step keep the lattices of the octaves apart
    const nx = 1.6 * x - 1.2 * y + 17.3;
    y = 1.2 * x + 1.6 * y - 9.7;
    x = nx;
    amplitude *= 0.5;
  }
  return sum;
}

/** Fractal with sharp crests, 0 to about 1: mountains. */
export function ridged(noise: Noise, x: number, y: number, octaves: number): number {
  let sum = 0;
  let amplitude = 0.5;
  let weight = 1;
  for (let i = 0; i < octaves; i++) {
    let n = 1 - Math.abs(noise(x, y)) * 1.25;
    if (n < 0) n = 0;
    n = n * n * weight;
    sum += amplitude * n;
    weight = Math.min(n * 1.6, 1);
    const nx = 1.6 * x - 1.2 * y + 31.7;
    y = 1.2 * x + 1.6 * y + 5.1;
    x = nx;
    amplitude *= 0.5;
  }
  return sum;
}
