import type { Ground } from "../country/ground.ts";
import { hash32 } from "../country/noise.ts";

/**
 * The kinds of ground of a grid: points of one kind look the same on every day. There are far fewer kinds than pixels, so
 * what follows from the ground is worked out once for each kind.
 */
export class GroundKinds {
  /** Cover, mix, brightness and rotation of each kind in one number, and height, flood and burn. */
  #first = new Uint32Array(1 << 10);
  #second = new Uint32Array(1 << 10);
  /** Number of a kind plus 1, by its hash; 0: free. */
  #slots = new Uint32Array(1 << 12);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Returns the number of the kind of a point. */
  numberOf({ cover, mix, brightness, height, rotation, flood, burn }: Ground): number {
    const first = (cover << 19) | (mix << 13) | (brightness << 8) | rotation;
    const second = (height << 14) | (flood << 6) | burn;
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

  /** Fills in the ground of a kind, except `elevation`. */
  ground(number: number, out: Ground): void {
    const first = this.#first[number]!;
    const second = this.#second[number]!;
    out.cover = first >> 19;
    out.mix = (first >> 13) & 63;
    out.brightness = (first >> 8) & 31;
    out.rotation = first & 255;
    out.height = second >> 14;
    out.flood = (second >> 6) & 255;
    out.burn = second & 63;
  }

  /** Height of a kind, as `Ground.height`. */
  height(number: number): number {
    return this.#second[number]! >> 14;
  }

  /** The slot that holds a kind, or a free one. */
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
