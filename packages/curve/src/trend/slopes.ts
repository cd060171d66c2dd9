/** Waits for others between parts of long work. @throws to end it */
export type Pause = () => Promise<unknown>;

/** Slopes that are sorted at once: some milliseconds. */
const SORTED_SLOPES = 65_536;
/** Pairs after which others get their turn: some milliseconds. */
const PART = 100_000;

/**
 * The slopes of the lines through all pairs of points of different times, of which only some are asked for by their rank.
 *
 * Where they are too many to be sorted, they are computed again in passes, each of which counts the next bits of those
 * that may be asked for (a radix selection: exact, whatever the values are, in at most four passes).
 */
export class Slopes {
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  /** Index of the first later point, for each point. */
  readonly #later: Uint32Array;
  readonly #pause: Pause | undefined;
  /** Pairs of points of different times. */
  readonly count: number;

  /** @param x ascending */
  constructor(x: Float64Array, y: Float64Array, pause?: Pause) {
    this.#x = x;
    this.#y = y;
    this.#pause = pause;
    this.#later = new Uint32Array(x.length);
    let count = 0;
    for (let i = x.length - 1; i >= 0; i--) {
      this.#later[i] = i + 1 < x.length && x[i + 1] === x[i] ? this.#later[i + 1]! : i + 1;
      count += x.length - this.#later[i]!;
    }
    this.count = count;
  }

  /** Returns the slopes of these ranks, 0 for the least. @throws what the pause throws */
  async at(ranks: readonly number[]): Promise<number[]> {
    const found: number[] = [];
    const all = { high: 0, low: 0, level: 0, below: 0, count: this.count, ranks: [...new Set(ranks)] };
    let groups: readonly Group[] = [all];
    while (groups.length > 0) {
      const takers = groups.map((group) => (group.count <= SORTED_SLOPES ? new Collected(group) : new Counted(group)));
      await this.#eachRow((row, bits, length) => {
        for (const taker of takers) taker.take(row, bits, length);
      });
      groups = takers.flatMap((taker) => taker.finish((rank, slope) => (found[rank] = slope)));
    }
    return ranks.map((rank) => found[rank]!);
  }

  /** Calls `take` with the slopes from each point to the later ones, as numbers and as their halves. */
  async #eachRow(take: (row: Float64Array, bits: Uint32Array, length: number) => void): Promise<void> {
    const [x, y] = [this.#x, this.#y];
    const row = new Float64Array(x.length);
    // every platform that runs JavaScript has the low half first
    const bits = new Uint32Array(row.buffer);
    let done = 0;
    for (let i = 0; i < x.length; i++) {
      const start = this.#later[i]!;
      for (let j = start; j < x.length; j++) row[j - start] = (y[j]! - y[i]!) / (x[j]! - x[i]!);
      take(row, bits, x.length - start);
      done += x.length - start;
      if (done < PART) continue;
      done = 0;
      await this.#pause?.();
    }
  }
}

/** Slopes whose keys have the same first bits: keys are unsigned integers of 64 bits in the order of the numbers (IEEE 754, section 5.10). */
interface Group {
  /** The first 32 bits of the keys, as far as they are the same, and the last ones. */
  readonly high: number;
  readonly low: number;
  /** Index in {@link LEVELS}: the first bits of that many levels are the same. */
  readonly level: number;
  /** Slopes below the group. */
  readonly below: number;
  readonly count: number;
  /** Ranks among all slopes, each once. */
  readonly ranks: readonly number[];
}

/** The bits that each pass counts, and those that are the same before. */
const LEVELS = [
  { bits: 20, shift: 12, ofHigh: true, highMask: 0, lowMask: 0 },
  { bits: 12, shift: 0, ofHigh: true, highMask: 0xfffff000, lowMask: 0 },
  { bits: 16, shift: 16, ofHigh: false, highMask: 0xffffffff, lowMask: 0 },
  { bits: 16, shift: 0, ofHigh: false, highMask: 0xffffffff, lowMask: 0xffff0000 },
] as const;

type OnFound = (rank: number, slope: number) => void;

/** A group that is sorted. */
class Collected {
  readonly #group: Group;
  readonly #slopes: Float64Array;
  #length = 0;

  constructor(group: Group) {
    this.#group = group;
    this.#slopes = new Float64Array(group.count);
  }

  take(row: Float64Array, bits: Uint32Array, length: number): void {
    const { high, low, level } = this.#group;
    const { highMask, lowMask } = LEVELS[level]!;
    const slopes = this.#slopes;
    let taken = this.#length;
    for (let k = 0; k < length; k++) {
      const top = bits[2 * k + 1]!;
      const flip = top >> 31;
      if (((top ^ (flip | 0x80000000) ^ high) & highMask) !== 0) continue;
      if (((bits[2 * k]! ^ flip ^ low) & lowMask) !== 0) continue;
      slopes[taken++] = row[k]!;
    }
    this.#length = taken;
  }

  finish(onFound: OnFound): Group[] {
    this.#slopes.sort();
    for (const rank of this.#group.ranks) onFound(rank, this.#slopes[rank - this.#group.below]!);
    return [];
  }
}

/** A group of which the next bits are counted. */
class Counted {
  readonly #group: Group;
  readonly #counts: Uint32Array;
  /** The first slope, and whether all are that one. */
  #one = Number.NaN;
  #isOne = true;

  constructor(group: Group) {
    this.#group = group;
    this.#counts = new Uint32Array(2 ** LEVELS[group.level]!.bits);
  }

  take(row: Float64Array, bits: Uint32Array, length: number): void {
    const { high, low, level } = this.#group;
    const { highMask, lowMask, shift, ofHigh } = LEVELS[level]!;
    const counts = this.#counts;
    const last = counts.length - 1;
    for (let k = 0; k < length; k++) {
      const top = bits[2 * k + 1]!;
      const flip = top >> 31;
      const keyHigh = top ^ (flip | 0x80000000);
      const keyLow = bits[2 * k]! ^ flip;
      if (((keyHigh ^ high) & highMask) !== 0 || ((keyLow ^ low) & lowMask) !== 0) continue;
      counts[((ofHigh ? keyHigh : keyLow) >>> shift) & last]! += 1;
      if (row[k] !== this.#one) this.#isOne = Number.isNaN(this.#one);
      this.#one = row[k]!;
    }
  }

  finish(onFound: OnFound): Group[] {
    const { ranks, level } = this.#group;
    const groups: Group[] = [];
    let below = this.#group.below;
    for (let digit = 0; digit < this.#counts.length; digit++) {
      const count = this.#counts[digit]!;
      if (count === 0) continue;
      const own = ranks.filter((rank) => rank >= below && rank < below + count);
      if (own.length > 0) groups.push(this.#narrowed(digit, { below, count, ranks: own }));
      below += count;
    }
    if (!this.#isOne && level + 1 < LEVELS.length) return groups;
    for (const group of groups) for (const rank of group.ranks) onFound(rank, this.#isOne ? this.#one : slopeOf(group));
    return [];
  }

  #narrowed(digit: number, rest: Pick<Group, "below" | "count" | "ranks">): Group {
    const { high, low, level } = this.#group;
    const { shift, ofHigh } = LEVELS[level]!;
    const next = digit << shift;
    return { ...rest, level: level + 1, high: ofHigh ? high | next : high, low: ofHigh ? low : low | next };
  }
}

/** The number of a key that is known whole. */
function slopeOf({ high, low }: Group): number {
  const flip = high >> 31 === 0 ? -1 : 0;
  const bits = new Uint32Array([low ^ flip, high ^ (flip | 0x80000000)]);
  return new Float64Array(bits.buffer)[0]!;
}
