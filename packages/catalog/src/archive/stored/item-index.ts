import { bboxShape, type Geometry, toShape } from "@swath/geometry";
import {
  compareInstants,
  filterProperties,
  findInstant,
  type Instant,
  type Interval,
  type ItemQuery,
  itemTime,
  matchesFilter,
  matchesInterval,
  type SearchItem,
  type SortField,
} from "@swath/query";
import type { Extent } from "../../catalog.ts";
import { COUNTED_PROPERTIES, type CountedItem } from "../../counts/buckets.ts";
import { UPSTREAM_ORDER } from "../../order/order.ts";
import { type SortValue, stableJson } from "../../order/token.ts";
import { type Column, ColumnBuilder, narrowed } from "./column.ts";
import { type Footprints, FootprintsBuilder, type SearchArea } from "./footprints.ts";
import type { ItemStore } from "./item-store.ts";
import { type Narrow, splitFilter } from "./number-ranges.ts";
import { SortedNumbers, sortByRanks } from "./sorted-numbers.ts";

/** Properties that say when an item was acquired. */
const TIMES = ["datetime", "start_datetime", "end_datetime"];

/** Milliseconds around the ends of an interval in which the exact rule for digits decides. */
const NEAR_MS = 1000;
/** Sort orders kept: each takes eight bytes per item. */
const ORDERS_KEPT = 12;
/** Matches are sorted by their places where they are fewer than this part of all items; else all places are looked at in turn. */
const FEW = 1 / 32;

/** Items of one step in which an index is made: 25 µs each. */
const STEP = 500;

/** The arrays of an index. */
interface Built {
  readonly keys: Float64Array;
  readonly times: Float64Array;
  readonly byTime: SortedNumbers;
  readonly sortTimes: Column;
  readonly columns: ReadonlyMap<string, Column>;
  readonly footprints: FootprintsBuilder;
  readonly positions: ReadonlyMap<string, number>;
  readonly collections: ReadonlySet<string>;
}

/** All positions in an order. */
interface Order {
  readonly positions: Uint32Array;
  /** The place of each position. */
  readonly places: Uint32Array;
}

/** The facts that searches read of all items of a store, in arrays. It is immutable: a change makes a new index. */
export class ItemIndex {
  readonly size: number;
  /** Ids of the collections that have items. */
  readonly collections: ReadonlySet<string>;
  readonly #store: ItemStore;
  readonly #keys: Float64Array;
  readonly #columns: ReadonlyMap<string, Column>;
  readonly #times: Float64Array;
  readonly #byTime: SortedNumbers;
  /** The times by which items are sorted: that of a stretch is its start. */
  readonly #sortTimes: Column;
  readonly #all: Uint32Array;
  readonly #scratch: Uint32Array;
  readonly #flags: Uint8Array;
  readonly #footprints: Footprints;
  readonly #positions: ReadonlyMap<string, number>;
  readonly #orders = new Map<string, Order>();

  private constructor(store: ItemStore, { keys, times, byTime, sortTimes, columns, footprints, ...rest }: Built) {
    this.size = keys.length;
    this.collections = rest.collections;
    this.#store = store;
    this.#all = Uint32Array.from(keys, (_, i) => i);
    this.#scratch = new Uint32Array(this.size);
    this.#flags = new Uint8Array(this.size);
    this.#keys = keys;
    this.#times = times;
    this.#byTime = byTime;
    this.#sortTimes = sortTimes;
    this.#columns = columns;
    this.#positions = rest.positions;
    this.#footprints = footprints.build((position) => this.#geometryOf(position));
  }

  /** An index of the items that a store has now. */
  static of(store: ItemStore): ItemIndex {
    const steps = ItemIndex.steps(store);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  /** Makes an index in short steps, between which others may have their turn. */
  static *steps(store: ItemStore): Generator<void, ItemIndex> {
    const keys: number[] = [];
    const times: number[] = [];
    const sortTimes = new ColumnBuilder();
    const builders = new Map<string, ColumnBuilder>([
      ["id", new ColumnBuilder()],
      ["collection", new ColumnBuilder()],
    ]);
    const footprints = new FootprintsBuilder();
    const positions = new Map<string, number>();
    const collections = new Set<string>();
    for (const { key, facts } of store.facts()) {
      const { id, collection, geometry, properties } = facts;
      collections.add(collection);
      positions.set(nameOf(collection, id), keys.length);
      for (const name of Object.keys(properties)) {
        if (!builders.has(name)) builders.set(name, emptyBuilder(keys.length));
      }
      for (const [name, builder] of builders) {
        builder.add(name === "id" ? id : name === "collection" ? collection : properties[name]);
      }
      times.push(millisecondsOf(properties.datetime));
      sortTimes.add(itemTime(properties) ?? undefined);
      footprints.add(geometry);
      keys.push(key);
      if (keys.length % STEP === 0) yield;
    }
    const columns = new Map<string, Column>();
    for (const [name, builder] of builders) {
      columns.set(name, builder.build());
      yield;
    }
    const sorted = Float64Array.from(times);
    const byTime = new SortedNumbers(sorted);
    yield;
    const built = { keys: Float64Array.from(keys), times: sorted, byTime, columns, footprints, positions, collections };
    const index = new ItemIndex(store, { ...built, sortTimes: sortTimes.build() });
    yield;
    index.#order(UPSTREAM_ORDER);
    return index;
  }

  /** Bytes of arrays, and an estimate of what else is kept for each item. */
  get bytes(): number {
    const columns = [...this.#columns.values(), this.#sortTimes].reduce((sum, column) => sum + column.bytes, 0);
    const orders = this.#orders.size * this.size * 8;
    const times = this.#times.byteLength + this.#byTime.bytes;
    return this.#keys.byteLength + times + columns + orders + this.#footprints.bytes + this.size * 96;
  }

  keyAt(position: number): number {
    return this.#keys[position] as number;
  }

  /** The position of an item; `undefined` where there is none. */
  find(collection: string, id: string): number | undefined {
    return this.#positions.get(nameOf(collection, id));
  }

  /** Values of an item in an order. */
  sortValuesAt(position: number, order: readonly SortField[]): SortValue[] {
    return order.map(({ field }) => this.#sortColumn(field)?.sortValueAt(position) ?? null);
  }

  /** An item as far as counts look at it. */
  countedAt(position: number): CountedItem {
    const properties: Record<string, unknown> = {};
    for (const name of COUNTED_PROPERTIES) properties[name] = this.#columns.get(name)?.valueAt(position);
    return { collection: String(this.#columns.get("collection")?.valueAt(position)), properties };
  }

  #order(fields: readonly SortField[]): Order {
    const key = stableJson(fields);
    const known = this.#orders.get(key);
    if (known !== undefined) return known;
    const by = fields.flatMap(({ field, direction }) => {
      const column = this.#sortColumn(field);
      return column === undefined ? [] : [{ ranks: column.ranks(), isDescending: direction === "desc" }];
    });
    const positions = sortByRanks(this.size, by);
    const places = new Uint32Array(this.size);
    for (let place = 0; place < positions.length; place++) places[positions[place] as number] = place;
    if (this.#orders.size >= ORDERS_KEPT) this.#orders.delete(this.#orders.keys().next().value ?? "");
    const order = { positions, places };
    this.#orders.set(key, order);
    return order;
  }

  /** Writes positions of the items that match, in an order. @returns their number. */
  match(query: ItemQuery, fields: readonly SortField[], found: Uint32Array): number {
    let positions = this.#candidates(query);
    for (const narrow of this.#conditions(query)) positions = narrow(positions);
    const order = this.#order(fields);
    if (positions.length < this.size * FEW) {
      const places = positions.map((position) => order.places[position] as number).sort();
      for (let i = 0; i < places.length; i++) found[i] = order.positions[places[i] as number] as number;
      return places.length;
    }
    const isFound = this.#flags.fill(0);
    for (let i = 0; i < positions.length; i++) isFound[positions[i] as number] = 1;
    let count = 0;
    for (let i = 0; i < order.positions.length; i++) {
      const position = order.positions[i] as number;
      if (isFound[position] === 1) found[count++] = position;
    }
    return count;
  }

  /** Positions among which all matches are: those that are near the area, at the time or of the ids, whichever are fewest. */
  #candidates(query: ItemQuery): Uint32Array {
    let [fewest, count]: [readonly Uint32Array[], number] = [[this.#all], this.size];
    for (const lists of [this.#ofIds(query), this.#nearTime(query.datetime), this.#nearArea(query)]) {
      const length = lists?.reduce((sum, list) => sum + list.length, 0);
      if (lists !== undefined && length !== undefined && length < count) [fewest, count] = [lists, length];
    }
    let end = 0;
    for (const list of fewest) {
      // a search does not wait, so that all of them share one array
      this.#scratch.set(list, end);
      end += list.length;
    }
    return this.#scratch.subarray(0, end);
  }

  #ofIds({ ids, collections }: ItemQuery): readonly Uint32Array[] | undefined {
    if (ids === undefined) return undefined;
    const within = collections.length === 0 ? this.collections : new Set(collections);
    const found = [...new Set(ids)].flatMap((id) => [...within].map((collection) => this.find(collection, id)));
    return [Uint32Array.from(found.filter((position) => position !== undefined))];
  }

  #nearTime(interval: Interval | undefined): readonly Uint32Array[] | undefined {
    if (interval === undefined) return undefined;
    const [start, end] = nearTime(interval);
    // stretches of time have no time of their own
    return [this.#byTime.within(start, end + 1), this.#byTime.without];
  }

  #nearArea(query: ItemQuery): readonly Uint32Array[] | undefined {
    const area = areaOf(query);
    return area === undefined ? undefined : this.#footprints.near(area);
  }

  /** Returns the area and time of the items of a collection. */
  extent(collection: string): Extent {
    const positions = this.#positionsIn(collection);
    const order = this.#order([{ field: "datetime", direction: "asc" }]);
    const within = new Set(positions);
    const sorted = order.positions.filter(
      (position) => within.has(position) && this.#sortTimes.valueAt(position) !== undefined,
    );
    const timeAt = (position: number | undefined): string | null => {
      const value = position === undefined ? undefined : this.#sortTimes.valueAt(position);
      return typeof value === "string" ? value : null;
    };
    return {
      spatial: { bbox: [this.#footprints.bboxOf(positions) ?? [-180, -90, 180, 90]] },
      temporal: { interval: [[timeAt(sorted[0]), this.#lastOf(timeAt(sorted.at(-1)), positions)]] },
    };
  }

  /** The latest of a time and the ends of the items that are stretches of time. */
  #lastOf(time: string | null, positions: Uint32Array): string | null {
    const [datetimes, ends] = [this.#columns.get("datetime"), this.#columns.get("end_datetime")];
    let [last, latest] = [time, time === null ? undefined : findInstant(time)];
    for (const position of ends === undefined ? [] : positions) {
      const end = typeof datetimes?.valueAt(position) === "string" ? undefined : ends?.valueAt(position);
      const instant = typeof end === "string" ? findInstant(end) : undefined;
      if (typeof end !== "string" || instant === undefined) continue;
      if (latest === undefined || compareInstants(instant, latest) > 0) [last, latest] = [end, instant];
    }
    return last;
  }

  #sortColumn(field: string): Column | undefined {
    return field === "datetime" ? this.#sortTimes : this.#columns.get(field);
  }

  #positionsIn(collection: string): Uint32Array {
    const column = this.#columns.get("collection");
    return this.#all.filter((i) => column?.valueAt(i) === collection);
  }

  /** The conditions of a search, the cheap ones first. */
  #conditions(query: ItemQuery): Narrow[] {
    const { collections, ids, datetime, filter } = query;
    const conditions: Narrow[] = [];
    const oneOf = (name: string, values: readonly string[]): void => {
      const set = new Set<unknown>(values);
      conditions.push((positions) => this.#columns.get(name)?.narrow(positions, set) ?? positions.subarray(0, 0));
    };
    if (collections.length > 0) oneOf("collection", collections);
    if (ids !== undefined) oneOf("id", ids);
    if (datetime !== undefined) conditions.push((positions) => this.#inTime(positions, datetime));
    const split = splitFilter(filter, (name) => this.#columns.get(name));
    conditions.push(...split.tests);
    const area = areaOf(query);
    if (area !== undefined) conditions.push((positions) => this.#footprints.narrow(positions, area));
    for (const rest of split.rest) {
      const own = [...filterProperties(rest)];
      const names = own.includes("datetime") ? [...own, ...TIMES] : own;
      conditions.push((positions) =>
        narrowed(positions, (position) => matchesFilter(rest, this.#searchItem(position, names))),
      );
    }
    return conditions;
  }

  /** Milliseconds decide where they can; within a second of an end the exact rule for digits decides. */
  #inTime(positions: Uint32Array, interval: Interval): Uint32Array {
    const [start, end] = nearTime(interval);
    const times = this.#times;
    let count = 0;
    for (let i = 0; i < positions.length; i++) {
      const position = positions[i] as number;
      const time = times[position] as number;
      if (time < start || time > end) continue;
      const isInside = time > start + 2 * NEAR_MS && time < end - 2 * NEAR_MS;
      if (isInside || matchesInterval(interval, this.#searchItem(position, TIMES).properties) === true) {
        positions[count++] = position;
      }
    }
    return positions.subarray(0, count);
  }

  /** An item as far as a filter looks at it. */
  #searchItem(position: number, names: readonly string[]): SearchItem {
    const properties: Record<string, unknown> = {};
    for (const name of names) {
      const value = this.#columns.get(name)?.valueAt(position);
      if (value !== undefined) properties[name] = value;
    }
    return {
      id: String(this.#columns.get("id")?.valueAt(position)),
      collection: String(this.#columns.get("collection")?.valueAt(position)),
      ...(names.includes("geometry") ? { geometry: this.#geometryOf(position) } : {}),
      properties,
    };
  }

  #geometryOf(position: number): Geometry | null {
    return this.#store.item(this.keyAt(position))?.geometry ?? null;
  }
}

/** The area of a search; `undefined` where it has none. */
function areaOf({ bbox, intersects }: ItemQuery): SearchArea | undefined {
  if (bbox !== undefined) return { shape: bboxShape(bbox), bbox };
  return intersects === undefined ? undefined : { shape: toShape(intersects) };
}

/** First and last millisecond of an interval, a second further apart on either side. */
function nearTime({ start, end }: Interval): readonly [number, number] {
  return [
    start === undefined ? -Infinity : milliseconds(start) - NEAR_MS,
    end === undefined ? Infinity : milliseconds(end) + NEAR_MS,
  ];
}

/** A builder that has seen `count` items without a value. */
function emptyBuilder(count: number): ColumnBuilder {
  const builder = new ColumnBuilder();
  for (let i = 0; i < count; i++) builder.add(undefined);
  return builder;
}

const nameOf = (collection: string, id: string): string => `${collection}/${id}`;

function millisecondsOf(value: unknown): number {
  const instant = typeof value === "string" ? findInstant(value) : undefined;
  return instant === undefined ? Number.NaN : milliseconds(instant);
}

function milliseconds(instant: Instant): number {
  return Number(instant.nanoseconds / 1_000_000n);
}
