/**
 * Lengths of the Huffman codes for symbols that occur `counts[i]` times (0: the symbol gets no code), none above
 * `limit` bits. Two-queue construction over the sorted counts; codes that come out too long are shortened, and as many
 * others lengthened as the Kraft sum asks for, the rarest first. A single symbol gets one bit.
 *
 * `counts` below 2²³, at most 512 symbols, at most 2^`limit` of them in use.
 */
export function codeLengths(counts: Uint32Array, symbols: number, limit: number, lengths: Uint8Array): void {
  lengths.fill(0, 0, symbols);
  let used = 0;
  for (let i = 0; i < symbols; i++) if (counts[i] !== 0) sorted[used++] = counts[i]! * 512 + i;
  if (used === 0) return;
  if (used === 1) {
    lengths[sorted[0]! % 512] = 1;
    return;
  }
  sorted.subarray(0, used).sort();
  const perLength = depths(used, limit);
  // the rarest symbols take the longest codes
  let next = 0;
  for (let bits = limit; bits > 0; bits--) {
    for (let left = perLength[bits]!; left > 0; left--) lengths[sorted[next++]! % 512] = bits;
  }
}

const sorted = new Uint32Array(512);
const weights = new Uint32Array(1024);
const parents = new Uint16Array(1024);
const levels = new Uint8Array(1024);
const perLengthMemory = new Uint32Array(16);

/** How many codes there are of each length: `used` leaves, weights in `sorted`, ascending. */
function depths(used: number, limit: number): Uint32Array {
  for (let i = 0; i < used; i++) weights[i] = sorted[i]! >>> 9;
  const nodes = 2 * used - 1;
  let leaf = 0;
  let inner = used;
  for (let node = used; node < nodes; node++) {
    let weight = 0;
    for (let child = 0; child < 2; child++) {
      // leaves first among equals: shallower trees
      const takesLeaf = leaf < used && (inner >= node || weights[leaf]! <= weights[inner]!);
      const taken = takesLeaf ? leaf++ : inner++;
      weight += weights[taken]!;
      parents[taken] = node;
    }
    weights[node] = weight;
  }
  const perLength = perLengthMemory.fill(0);
  levels[nodes - 1] = 0;
  for (let node = nodes - 2; node >= 0; node--) {
    const level = levels[parents[node]!]! + 1;
    levels[node] = level;
    if (node < used) perLength[Math.min(level, limit)]! += 1;
  }
  // Kraft: the sum of 2^-length must be 1; codes cut to the limit have made it larger
  let sum = 0;
  for (let bits = 1; bits <= limit; bits++) sum += perLength[bits]! << (limit - bits);
  for (let over = sum - (1 << limit); over > 0; over--) {
    let bits = limit - 1;
    while (perLength[bits] === 0) bits--;
    // one code a bit longer, and one of the limit's beside it: the sum falls by one step
    perLength[bits]! -= 1;
    perLength[bits + 1]! += 2;
    perLength[limit]! -= 1;
  }
  return perLength;
}

/** Canonical codes for lengths (RFC 1951, section 3.2.2), their bits reversed as the stream wants them. */
export function canonicalCodes(lengths: Uint8Array, symbols: number, codes: Uint16Array): void {
  const next = new Uint16Array(17);
  for (let i = 0; i < symbols; i++) if (lengths[i] !== 0) next[lengths[i]! + 1]! += 1;
  for (let bits = 1; bits < 17; bits++) next[bits] = (next[bits]! + next[bits - 1]!) << 1;
  for (let i = 0; i < symbols; i++) {
    const bits = lengths[i]!;
    if (bits === 0) continue;
    let code = next[bits]!++;
    let reversed = 0;
    for (let k = 0; k < bits; k++, code >>= 1) reversed = (reversed << 1) | (code & 1);
    codes[i] = reversed;
  }
}
