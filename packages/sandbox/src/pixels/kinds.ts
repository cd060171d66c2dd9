import type { Ground } from "../country/ground.ts";
import { PairNumbers } from "./pair-numbers.ts";

/**
 * The kinds of ground of a grid: points of one kind look the same on every day. There are far fewer kinds than pixels, so
 * what follows from the ground is worked out once for each kind.
 */
export class GroundKinds {
  /** Cover, mix, brightness and rotation as one number; height, flood and burn as another. */
  readonly #pairs = new PairNumbers();

  get count(): number {
    return this.#pairs.count;
  }

  /** Returns the number of the kind of a point. */
  numberOf({ cover, mix, brightness, height, rotation, flood, burn }: Ground): number {
    return this.#pairs.numberOf(
      (cover << 19) | (mix << 13) | (brightness << 8) | rotation,
      (height << 14) | (flood << 6) | burn,
    );
  }

  /** Fills in the ground of a kind, except `elevation`. */
  ground(number: number, out: Ground): void {
    const first = this.#pairs.first(number);
    const second = this.#pairs.second(number);
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
    return this.#pairs.second(number) >> 14;
  }
}
