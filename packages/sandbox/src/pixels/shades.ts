import { CLOUD_STEPS } from "../sensors/clouds.ts";
import { LOOKS } from "./looks.ts";
import { PairNumbers } from "./pair-numbers.ts";

/** The shades of a grid on a day: pixels of one shade have the same look, cloud and shadow, and so the same value in a band. */
export class Shades {
  /** Look, and cloud and shadow as one number. */
  readonly #pairs = new PairNumbers();
  /** Number plus 1 of each look without cloud and shadow, which most pixels have; 0: none yet. */
  readonly #clear = new Uint32Array(LOOKS);

  get count(): number {
    return this.#pairs.count;
  }

  /** @param cloud opacity, and `shadow` depth, as `Sky` gives them */
  numberOf(look: number, cloud: number, shadow: number): number {
    if ((cloud | shadow) !== 0) {
      // opaque clouds hide all ground
      return cloud === CLOUD_STEPS
        ? this.#pairs.numberOf(0, cloud << 8)
        : this.#pairs.numberOf(look, (cloud << 8) | shadow);
    }
    const known = this.#clear[look]!;
    if (known !== 0) return known - 1;
    const number = this.#pairs.numberOf(look, 0);
    this.#clear[look] = number + 1;
    return number;
  }

  look(number: number): number {
    return this.#pairs.first(number);
  }

  cloud(number: number): number {
    return this.#pairs.second(number) >> 8;
  }

  shadow(number: number): number {
    return this.#pairs.second(number) & 255;
  }
}
