import { compareValue, sortValues } from "../../order/order.ts";
import type { SortValue } from "../../order/token.ts";
import { NumberList } from "./number-list.ts";
import { NO_RANK, ranksOf } from "./sorted-numbers.ts";

/** The values of one property, by the position of the item: numbers as they are, others by their number in a list. */
export class Column {
  /** NaN where the item has no value; absent where a value is no number. */
  readonly numbers: Float64Array | undefined;
  readonly #codes: Uint32Array;
  readonly #values: readonly unknown[];
  #ranks: Uint32Array | undefined;
  #isComplete: boolean | undefined;

  constructor(numbers: Float64Array | undefined, codes: Uint32Array, values: readonly unknown[]) {
    this.numbers = numbers;
    this.#codes = codes;
    this.#values = values;
  }

  /** The value of an item; `undefined` where it has none. */
  valueAt(position: number): unknown {
    const number = this.numbers?.[position];
    if (number === undefined) return this.#values[this.#codes[position] as number];
    return Number.isNaN(number) ? undefined : number;
  }

  /** Narrows positions, in place, to those whose value is one of some. */
  narrow(positions: Uint32Array, values: ReadonlySet<unknown>): Uint32Array {
    if (this.numbers !== undefined || positions.length < this.#values.length) {
      return narrowed(positions, (position) => values.has(this.valueAt(position)));
    }
    const isWanted = Uint8Array.from(this.#values, (value) => (values.has(value) ? 1 : 0));
    const codes = this.#codes;
    this.#isComplete ??= codes.indexOf(0) === -1;
    if (this.#isComplete && isWanted.indexOf(0, 1) === -1) return positions;
    return narrowed(positions, (position) => isWanted[codes[position] as number] === 1);
  }

  /** The value as orders compare it. */
  sortValueAt(position: number): SortValue {
    return toSortValue(this.valueAt(position));
  }

  /** Bytes of the arrays; values that are kept as objects are counted as 64 bytes each. */
  get bytes(): number {
    const arrays = (this.numbers?.byteLength ?? 0) + this.#codes.byteLength + (this.#ranks?.byteLength ?? 0);
    return arrays + this.#values.length * 64;
  }

  /** For each position a number that is lower the earlier its value comes in ascending order; `NO_RANK` without a value. */
  ranks(): Uint32Array {
    this.#ranks ??= this.numbers === undefined ? this.#ranksOfCodes() : ranksOf(this.numbers);
    return this.#ranks;
  }

  #ranksOfCodes(): Uint32Array {
    const values = this.#values.map(toSortValue);
    const codes = [...values.keys()].filter((code) => values[code] !== null);
    codes.sort((a, b) => compareValue(values[a] as SortValue, values[b] as SortValue));
    const rankOf = new Uint32Array(values.length).fill(NO_RANK);
    let rank = -1;
    let last: SortValue | undefined;
    for (const code of codes) {
      if (values[code] !== last) rank++;
      last = values[code];
      rankOf[code] = rank;
    }
    return this.#codes.map((code) => rankOf[code] as number);
  }
}

const ASCENDING = [{ field: "value", direction: "asc" }] as const;

function toSortValue(value: unknown): SortValue {
  return sortValues({ id: "", properties: { value } }, ASCENDING)[0] ?? null;
}

/** The positions that pass a test, in their order: the array is narrowed in place, so that a search needs no other one. */
export function narrowed(positions: Uint32Array, passes: (position: number) => boolean): Uint32Array {
  let count = 0;
  for (let i = 0; i < positions.length; i++) {
    const position = positions[i] as number;
    if (passes(position)) positions[count++] = position;
  }
  return positions.subarray(0, count);
}

/** Collects the values of one property, in the order of positions. */
export class ColumnBuilder {
  #numbers: NumberList | undefined = new NumberList();
  readonly #codes = new NumberList();
  readonly #values: unknown[] = [undefined];
  readonly #codeOf = new Map<string, number>();

  /** Values of equal JSON text are kept once. */
  add(value: unknown): void {
    if (this.#numbers !== undefined) {
      if (value === undefined || (typeof value === "number" && !Number.isNaN(value))) {
        this.#numbers.push(value ?? Number.NaN);
        return;
      }
      const numbers = this.#numbers.take();
      this.#numbers = undefined;
      for (const number of numbers) this.add(Number.isNaN(number) ? undefined : number);
    }
    this.#codes.push(value === undefined ? 0 : this.#code(value));
  }

  build(): Column {
    if (this.#numbers !== undefined) return new Column(this.#numbers.take(), new Uint32Array(0), []);
    return new Column(undefined, Uint32Array.from(this.#codes.take()), this.#values);
  }

  #code(value: unknown): number {
    const text = JSON.stringify(value);
    let code = this.#codeOf.get(text);
    if (code === undefined) {
      code = this.#values.length;
      this.#codeOf.set(text, code);
      this.#values.push(value);
    }
    return code;
  }
}
