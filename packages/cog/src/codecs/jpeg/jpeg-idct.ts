// The accurate integer inverse DCT of libjpeg (jidctint.c, after Loeffler, Ligtenberg and Moschytz, ICASSP 1989):
// 13 bits of constants, 2 extra bits between the passes. Its rounding decides the last bit of every sample, so that
// GDAL's values are met exactly.
const PASS1_BITS = 2;
const F_0_298631336 = 2446;
const F_0_390180644 = 3196;
const F_0_541196100 = 4433;
const F_0_765366865 = 6270;
const F_0_899976223 = 7373;
const F_1_175875602 = 9633;
const F_1_501321110 = 12299;
const F_1_847759065 = 15137;
const F_1_961570560 = 16069;
const F_2_053119869 = 16819;
const F_2_562915447 = 20995;
const F_3_072711026 = 25172;

const WORK = new Int32Array(64);

/**
 * Dequantizes and transforms one block into `out` at `at`, rows `stride` apart, as bytes of 0 to 255.
 * `coefficients` and `quantization` are in natural order.
 */
export function inverseDct(
  coefficients: Int32Array,
  quantization: Int32Array,
  out: Uint8ClampedArray,
  at: number,
  stride: number,
): void {
  const work = WORK;
  for (let i = 0; i < 8; i++) {
    const c1 = coefficients[i + 8]!;
    const c2 = coefficients[i + 16]!;
    const c3 = coefficients[i + 24]!;
    const c4 = coefficients[i + 32]!;
    const c5 = coefficients[i + 40]!;
    const c6 = coefficients[i + 48]!;
    const c7 = coefficients[i + 56]!;
    const d0 = coefficients[i]! * quantization[i]!;
    if ((c1 | c2 | c3 | c4 | c5 | c6 | c7) === 0) {
      const flat = d0 << PASS1_BITS;
      for (let j = i; j < 64; j += 8) work[j] = flat;
      continue;
    }
    let z2 = c2 * quantization[i + 16]!;
    let z3 = c6 * quantization[i + 48]!;
    let z1 = (z2 + z3) * F_0_541196100;
    let tmp2 = z1 - z3 * F_1_847759065;
    let tmp3 = z1 + z2 * F_0_765366865;
    z3 = c4 * quantization[i + 32]!;
    let tmp0 = (d0 + z3) << 13;
    let tmp1 = (d0 - z3) << 13;
    const tmp10 = tmp0 + tmp3;
    const tmp13 = tmp0 - tmp3;
    const tmp11 = tmp1 + tmp2;
    const tmp12 = tmp1 - tmp2;
    tmp0 = c7 * quantization[i + 56]!;
    tmp1 = c5 * quantization[i + 40]!;
    tmp2 = c3 * quantization[i + 24]!;
    tmp3 = c1 * quantization[i + 8]!;
    z1 = -(tmp0 + tmp3) * F_0_899976223;
    z2 = -(tmp1 + tmp2) * F_2_562915447;
    const z5 = (tmp0 + tmp2 + (tmp1 + tmp3)) * F_1_175875602;
    z3 = z5 - (tmp0 + tmp2) * F_1_961570560;
    const z4 = z5 - (tmp1 + tmp3) * F_0_390180644;
    tmp0 = tmp0 * F_0_298631336 + z1 + z3;
    tmp1 = tmp1 * F_2_053119869 + z2 + z4;
    tmp2 = tmp2 * F_3_072711026 + z2 + z3;
    tmp3 = tmp3 * F_1_501321110 + z1 + z4;
    work[i] = (tmp10 + tmp3 + 1024) >> 11;
    work[i + 56] = (tmp10 - tmp3 + 1024) >> 11;
    work[i + 8] = (tmp11 + tmp2 + 1024) >> 11;
    work[i + 48] = (tmp11 - tmp2 + 1024) >> 11;
    work[i + 16] = (tmp12 + tmp1 + 1024) >> 11;
    work[i + 40] = (tmp12 - tmp1 + 1024) >> 11;
    work[i + 24] = (tmp13 + tmp0 + 1024) >> 11;
    work[i + 32] = (tmp13 - tmp0 + 1024) >> 11;
  }
  let to = at;
  for (let i = 0; i < 64; i += 8, to += stride) {
    const w0 = work[i]!;
    let z2 = work[i + 2]!;
    let z3 = work[i + 6]!;
    let z1 = (z2 + z3) * F_0_541196100;
    let tmp2 = z1 - z3 * F_1_847759065;
    let tmp3 = z1 + z2 * F_0_765366865;
    let tmp0 = (w0 + work[i + 4]!) << 13;
    let tmp1 = (w0 - work[i + 4]!) << 13;
    const tmp10 = tmp0 + tmp3;
    const tmp13 = tmp0 - tmp3;
    const tmp11 = tmp1 + tmp2;
    const tmp12 = tmp1 - tmp2;
    tmp0 = work[i + 7]!;
    tmp1 = work[i + 5]!;
    tmp2 = work[i + 3]!;
    tmp3 = work[i + 1]!;
    z1 = -(tmp0 + tmp3) * F_0_899976223;
    z2 = -(tmp1 + tmp2) * F_2_562915447;
    const z5 = (tmp0 + tmp2 + (tmp1 + tmp3)) * F_1_175875602;
    z3 = z5 - (tmp0 + tmp2) * F_1_961570560;
    const z4 = z5 - (tmp1 + tmp3) * F_0_390180644;
    tmp0 = tmp0 * F_0_298631336 + z1 + z3;
    tmp1 = tmp1 * F_2_053119869 + z2 + z4;
    tmp2 = tmp2 * F_3_072711026 + z2 + z3;
    tmp3 = tmp3 * F_1_501321110 + z1 + z4;
    // 18 = 13 bits of constants, 2 of the first pass, 3 of the transform's factor 8; clamped on store
    out[to] = ((tmp10 + tmp3 + 131072) >> 18) + 128;
    out[to + 7] = ((tmp10 - tmp3 + 131072) >> 18) + 128;
    out[to + 1] = ((tmp11 + tmp2 + 131072) >> 18) + 128;
    out[to + 6] = ((tmp11 - tmp2 + 131072) >> 18) + 128;
    out[to + 2] = ((tmp12 + tmp1 + 131072) >> 18) + 128;
    out[to + 5] = ((tmp12 - tmp1 + 131072) >> 18) + 128;
    out[to + 3] = ((tmp13 + tmp0 + 131072) >> 18) + 128;
    out[to + 4] = ((tmp13 - tmp0 + 131072) >> 18) + 128;
  }
}
