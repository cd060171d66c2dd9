import { hash32 } from "../country/noise.ts";

/** Numbers pairs of 32-bit whole numbers from 0 on, in the order in which they come. */
export class PairNumbers {
  #first = new Uint32Array(1 << 10);
  #second = new Uint32Array(1 << 10);
  /** Number of a pair plus 1, by its hash; 0: free. */
  #slots = new Uint32Array(1 << 12);
  #count = 0;

  /** Pairs that have a number. */
  get count(): number {
    return this.#count;
  }

  numberOf(first: number, second: number): number {
    const slot = this.#slotOf(first, second);
    const known = this.#slots[slot]!;
    if (known !== 0) return known - 1;
    const number = this.#count++;
    this.#slots[slot] = this.#count;
    this.#first[number] = first;
    this.#second[number] = second;
    if (this.#count === this.#first.length) this.#grow();
    return number;
  }

  first(number: number): number {
    return this.#first[number]!;
  }

  second(number: number): number {
    return this.#second[number]!;
  }

  /** The slot that holds a pair, or a free one. */
  #slotOf(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash32(1, first, second) & mask;
    for (let known = this.#slots[slot]!; known !== 0; known = this.#slots[slot]!) {
      if (this.#first[known - 1] === first && this.#second[known - 1] === second) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const [first, second] = [this.#first, this.#second];
    this.#first = new Uint32Array(first.length * 2);
    this.#second = new Uint32Array(second.length * 2);
    this.#first.set(first);
    this.#second.set(second);
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let i = 0; i < this.#count; i++) this.#slots[this.#slotOf(first[i]!, second[i]!)] = i + 1;
  }
}
