import type { Cube } from "../cube/cube.ts";
import type { SpatialExtent } from "../cube/grid-request.ts";
import { type LoadedCollection, type LoadRequest, loadedCube } from "../cube/load.ts";
import { OpenEoError } from "../errors.ts";
import type { Expressions } from "../expression/expression.ts";
import type { SpatialExtents } from "./spatial-extents.ts";

/** A load, and what tells it from others, whatever is known of their time steps. */
export interface KeyedLoad extends LoadRequest {
  readonly key: string;
}

/** Loads of one graph: collections with different filters. */
const MAX_LOADS = 16;

/** The collections that a graph loads, each with its filters once. */
export class Loads {
  readonly all: KeyedLoad[] = [];
  readonly #extents: SpatialExtents;
  readonly #expressions: Expressions;
  readonly #times: (key: string) => readonly string[] | undefined;
  /** Extents of loads that have none of their own: where they are filtered or reduced. */
  readonly #needed: SpatialExtent[][] = [];
  readonly #numbers = new Map<string, number>();
  readonly #numbersOf = new Map<LoadedCollection, number>();
  readonly #cubes: Cube[] = [];
  /** Loads whose cubes were asked for since this was set. */
  touched = new Set<number>();

  constructor(
    extents: SpatialExtents,
    expressions: Expressions,
    times: (key: string) => readonly string[] | undefined = () => undefined,
  ) {
    this.#extents = extents;
    this.#expressions = expressions;
    this.#times = times;
  }

  /** The cube of a collection, which is loaded now. */
  cube(value: LoadedCollection): Cube {
    const number = this.#numbersOf.get(value) ?? this.#numberOf(value);
    this.#numbersOf.set(value, number);
    this.touched.add(number);
    return this.#cubes[number]!;
  }

  /** Loads that have no bounds of their own are needed there. */
  need(loads: Iterable<number>, extents: readonly SpatialExtent[]): void {
    for (const load of loads) this.#needed[load]?.push(...extents);
  }

  /** Returns the extents in which the scenes of a load are searched: its own extent, or all where it is needed. */
  searched(load: number): readonly SpatialExtent[] {
    const extent = this.all[load]?.extents.at(-1);
    return extent === undefined ? (this.#needed[load] ?? []) : [extent];
  }

  /** Whether the time steps of a load are known. */
  isKnown(load: number): boolean {
    return this.#times(this.all[load]!.key) !== undefined;
  }

  #numberOf({ request }: LoadedCollection): number {
    const { path, collection, extents, time, bands } = request;
    const names = bands.map(({ name }) => name);
    const key = JSON.stringify([path, collection, extents.map((each) => this.#extents.keyOf(each)), time, names]);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.all.length;
    if (number === MAX_LOADS) {
      const message = `The graph loads more than ${MAX_LOADS} cubes: each is a search of scenes.`;
      throw new OpenEoError("ProcessGraphComplexity", message);
    }
    this.all.push({ ...request, key });
    this.#needed.push([]);
    this.#numbers.set(key, number);
    this.#cubes.push(loadedCube(number, request, this.#times(key), this.#expressions));
    return number;
  }
}
