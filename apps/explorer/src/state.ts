/** West, south, east, north in degrees. */
export type Bbox = readonly [west: number, south: number, east: number, north: number];
export type Point = readonly [lon: number, lat: number];

/** The area drawn on the map for extraction. */
export type Area =
  | { readonly kind: "box"; readonly bbox: Bbox }
  /** Corners in order; the first is not repeated. */
  | { readonly kind: "polygon"; readonly corners: readonly Point[] };

export interface MapView {
  readonly zoom: number;
  readonly lat: number;
  readonly lon: number;
}

export const TABS = ["scenes", "values", "download"] as const;
export type Tab = (typeof TABS)[number];

/** All that makes a view. It is what the address bar holds after `#`, so that a view can be sent to someone. */
export interface ViewState {
  readonly preset: string;
  readonly collection: string;
  /** First and last day, `YYYY-MM-DD`, UTC. */
  readonly from: string;
  readonly to: string;
  /** Ceiling of scene cloud cover in percent; 100: any. */
  readonly cloud: number;
  /** The scene shown alone; absent: the mosaic. */
  readonly scene?: string | undefined;
  readonly tab: Tab;
  readonly map?: MapView | undefined;
  readonly area?: Area | undefined;
}

const round = (value: number, digits: number): string => String(Number(value.toFixed(digits)));
const degrees = (value: number): string => round(value, 5);

/** The part of an address after `#`, without the `#`. */
export function formatState(state: ViewState): string {
  const { map, area } = state;
  const fields: [string, string | undefined][] = [
    ["preset", state.preset],
    ["collection", state.collection],
    ["dates", `${state.from}/${state.to}`],
    ["cloud", state.cloud === 100 ? undefined : String(state.cloud)],
    ["scene", state.scene],
    ["tab", state.tab === "scenes" ? undefined : state.tab],
    ["map", map && `${round(map.zoom, 2)}/${degrees(map.lat)}/${degrees(map.lon)}`],
    ["box", area?.kind === "box" ? area.bbox.map(degrees).join(",") : undefined],
    [
      "polygon",
      area?.kind === "polygon" ? area.corners.map((corner) => corner.map(degrees).join(",")).join(";") : undefined,
    ],
  ];
  return fields
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => `${name}=${encodeURIComponent(value as string).replace(/%(2F|2C|3B)/g, decodeURIComponent)}`,
    )
    .join("&");
}

const ID = /^[A-Za-z0-9_.-]{1,128}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Whether it is a day of the calendar: `2024-02-30`, which `Date` takes for the first of March, is none. */
const isDay = (text: string | undefined): text is string => {
  const time = text !== undefined && DAY.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
};
const onEarth = ([lon, lat]: readonly number[]): boolean =>
  lon !== undefined && lat !== undefined && Math.abs(lon) <= 180 && Math.abs(lat) <= 90;

function numbers(text: string | null, separator: RegExp, count: number): number[] | undefined {
  const parts = text?.split(separator) ?? [];
  const values = parts.map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  return values.length === count && values.every(Number.isFinite) ? values : undefined;
}

function parseArea(fields: URLSearchParams): Area | undefined {
  const box = numbers(fields.get("box"), /,/, 4) as [number, number, number, number] | undefined;
  if (box !== undefined) {
    const isBox = onEarth(box) && onEarth(box.slice(2)) && box[0] < box[2] && box[1] < box[3];
    return isBox ? { kind: "box", bbox: box } : undefined;
  }
  const corners = fields
    .get("polygon")
    ?.split(";")
    .map((text) => numbers(text, /,/, 2));
  if (corners === undefined || corners.length < 3) return undefined;
  return corners.every((corner) => corner !== undefined && onEarth(corner))
    ? { kind: "polygon", corners: corners as unknown as Point[] }
    : undefined;
}

/** Reads what {@link formatState} wrote, possibly edited by hand: unusable members are ignored. */
export function parseState(hash: string): Partial<ViewState> {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const id = (name: string): string | undefined => {
    const text = fields.get(name);
    return text !== null && ID.test(text) ? text : undefined;
  };
  const [from, to] = fields.get("dates")?.split("/") ?? [];
  const cloud = numbers(fields.get("cloud"), /,/, 1)?.[0];
  const map = numbers(fields.get("map"), /\//, 3) as [number, number, number] | undefined;
  const tab = TABS.find((name) => name === fields.get("tab"));
  const area = parseArea(fields);
  const [preset, collection, scene] = [id("preset"), id("collection"), id("scene")];
  return {
    ...(preset === undefined ? {} : { preset }),
    ...(collection === undefined ? {} : { collection }),
    ...(isDay(from) && isDay(to) && from <= to ? { from, to } : {}),
    ...(cloud === undefined || cloud < 0 || cloud > 100 ? {} : { cloud }),
    ...(scene === undefined ? {} : { scene }),
    ...(tab === undefined ? {} : { tab }),
    ...(map === undefined || !onEarth([map[2], map[1]]) || map[0] < 0 || map[0] > 22
      ? {}
      : { map: { zoom: map[0], lat: map[1], lon: map[2] } }),
    ...(area === undefined ? {} : { area }),
  };
}

type Listener = (state: ViewState, before: ViewState) => void;

/** Holds the view and notifies listeners of changes, after all members of one change are set. */
export class Store {
  #state: ViewState;
  readonly #listeners = new Set<Listener>();

  constructor(state: ViewState) {
    this.#state = state;
  }

  get state(): ViewState {
    return this.#state;
  }

  set(change: Partial<ViewState>): void {
    const before = this.#state;
    const names = Object.keys(change) as (keyof ViewState)[];
    if (names.every((name) => before[name] === change[name])) return;
    this.#state = { ...before, ...change };
    for (const listener of this.#listeners) listener(this.#state, before);
  }

  /** Runs `listener` after changes of one of `names`. */
  on(names: readonly (keyof ViewState)[], listener: Listener): void {
    this.#listeners.add((state, before) => {
      if (names.some((name) => state[name] !== before[name])) listener(state, before);
    });
  }
}
