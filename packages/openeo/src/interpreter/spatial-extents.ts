import type { SpatialExtent } from "../cube/grid-request.ts";
import { WORK } from "../work.ts";

/** The extents of one graph, told apart by what they are. */
export class SpatialExtents {
  /** Extents whose pixels expressions ask for, by their number. */
  readonly regions: SpatialExtent[] = [];
  readonly #spend: (units: number) => void;
  readonly #keys = new Map<SpatialExtent, string>();
  readonly #numbers = new Map<string, number>();

  constructor(spend: (units: number) => void) {
    this.#spend = spend;
  }

  /** Number of a region of pixels. */
  region(extent: SpatialExtent): number {
    const key = this.keyOf(extent);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.regions.length);
    return this.regions.push(extent) - 1;
  }

  isSame(a: SpatialExtent | undefined, b: SpatialExtent | undefined): boolean {
    return a === b || (a !== undefined && b !== undefined && this.keyOf(a) === this.keyOf(b));
  }

  keyOf(extent: SpatialExtent): string {
    const known = this.#keys.get(extent);
    if (known !== undefined) return known;
    const key = JSON.stringify(extent);
    this.#spend(WORK.item * (key.length >> 4));
    this.#keys.set(extent, key);
    return key;
  }
}
