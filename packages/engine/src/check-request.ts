import type { CurveOptions } from "@swath/curve";
import { type CloudMask, MosaickingOrder } from "@swath/schema";
import { type Path, Refusal } from "./refusal.ts";
import type {
  AreaWhere,
  Calculation,
  FeaturesWhere,
  FeatureWhere,
  Frame,
  GeoTiffInto,
  GraphInto,
  GraphWhere,
  HistogramSettings,
  ImageInto,
  ImageStyle,
  IntervalsInto,
  Into,
  ItemWhere,
  Measure,
  OverpassesInto,
  PointWhere,
  Request,
  SeriesReducer,
  SizeCaps,
  TileWhere,
  What,
  When,
  Where,
} from "./request.ts";

/** @throws {Refusal} `invalid` with the path of what is not of a type. */
type Check = (value: unknown, path: Path) => void;

const typed =
  (expected: string, isIt: (value: unknown) => boolean): Check =>
  (value, path) => {
    if (!isIt(value)) throw new Refusal("invalid", path, `Expected ${expected}, got ${shown(value)}.`);
  };

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "string") return `"${value.slice(0, 100)}"`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const anything: Check = () => {};
const text = typed("text", (value) => typeof value === "string");
const number = typed("a number", (value) => typeof value === "number" && !Number.isNaN(value));
const finite = typed("a finite number", Number.isFinite);
const count = typed("a whole number of at least 1", (value) => Number.isInteger(value) && Number(value) >= 1);
const countOrAuto: Check = (value, path) => (value === "auto" ? undefined : count(value, path));
const flag = typed("true or false", (value) => typeof value === "boolean");
const object = typed("an object", isObject);
const array = typed("an array", Array.isArray);
const oneOf = (...names: readonly string[]): Check =>
  typed(names.join(" or "), (value) => names.some((name) => name === value));

const optional =
  (check: Check): Check =>
  (value, path) => {
    if (value !== undefined) check(value, path);
  };
/** `other` for what is an object, else `plain`. */
const either =
  (plain: Check, other: Check): Check =>
  (value, path) =>
    isObject(value) ? other(value, path) : plain(value, path);
const list =
  (check: Check): Check =>
  (value, path) => {
    array(value, path);
    for (const [i, each] of (value as readonly unknown[]).entries()) check(each, [...path, i]);
  };
const record =
  (check: Check): Check =>
  (value, path) => {
    object(value, path);
    for (const [name, each] of Object.entries(value as object)) check(each, [...path, name]);
  };
/** Checks each member of an object; an object of several kinds has `kind` checked already. */
const members =
  <T>(checks: Readonly<Record<Exclude<keyof T, "kind">, Check>>): Check =>
  (value, path) => {
    object(value, path);
    const given = value as Readonly<Record<string, unknown>>;
    for (const [name, check] of Object.entries<Check>(checks)) check(given[name], [...path, name]);
  };
const kinds =
  <K extends string>(checks: Readonly<Record<K, Check>>): Check =>
  (value, path) => {
    object(value, path);
    const { kind } = value as { readonly kind: K };
    oneOf(...Object.keys(checks))(kind, [...path, "kind"]);
    checks[kind](value, path);
  };

const numbers = list(finite);
const FRAME = members<Frame>({
  crs: optional(text),
  nativeCrs: optional(flag),
  width: optional(countOrAuto),
  height: optional(countOrAuto),
  size: optional(count),
  resx: optional(finite),
  resy: optional(finite),
  exact: optional(flag),
});
const WHERE = kinds<Where["kind"]>({
  tile: members<TileWhere>({ tileMatrixSet: text, z: finite, x: finite, y: finite, size: optional(finite) }),
  item: members<ItemWhere>({ id: text, maxSize: count }),
  point: members<PointWhere>({ lon: finite, lat: finite }),
  // boxes and geometries have grammars of their own
  area: members<AreaWhere>({ bbox: anything, geometry: anything, crs: optional(text), frame: optional(FRAME) }),
  features: members<FeaturesWhere>({
    features: list(members<FeatureWhere>({ id: anything, geometry: anything })),
    frame: optional(FRAME),
  }),
  graph: members<GraphWhere>({}),
});
const WHEN = members<When>({
  collections: optional(list(text)),
  time: optional(either(text, members({ from: text, to: text }))),
  every: optional(text),
  ids: optional(list(text)),
  maxCloudCover: optional(finite),
  order: optional(oneOf(...MosaickingOrder.options)),
  samePlatform: optional(flag),
  filter: optional(object),
});
const WHAT = members<What>({
  bands: optional(list(text)),
  index: optional(text),
  expression: optional(text),
  preset: optional(text),
  measures: optional(
    list(
      members<Measure>({
        name: text,
        at: optional(array),
        index: optional(text),
        expression: optional(text),
        band: optional(text),
      }),
    ),
  ),
  graph: optional(object),
  style: optional(members<ImageStyle>({ rescale: optional(list(numbers)), colormap: optional(text) })),
  units: optional(text),
  harmonize: optional(text),
  clipNegative: optional(flag),
  mask: optional(
    members<CloudMask>({
      exclude: optional(list(text)),
      scl7: optional(text),
      dilate_m: optional(finite),
      cloudConfidence: optional(text),
    }),
  ),
});
const CALCULATION = members<Calculation>({
  percentiles: optional(numbers),
  histogram: optional(
    members<HistogramSettings>({
      nBins: optional(count),
      binWidth: optional(finite),
      bins: optional(numbers),
      lowEdge: optional(finite),
      highEdge: optional(finite),
    }),
  ),
});
const REDUCERS = ["mean", "median", "min", "max", "majority"] as const satisfies readonly OverpassesInto["reducer"][];
const PERCENTILE = members<Extract<SeriesReducer, { readonly percentile: number }>>({ percentile: finite });
const SHARE = members<Extract<SeriesReducer, { readonly share: readonly number[] }>>({ share: numbers });
const INTO = kinds<Into["kind"]>({
  image: members<ImageInto>({ format: oneOf("png", "jpg", "webp", "auto") }),
  geotiff: members<GeoTiffInto>({
    files: optional(oneOf("one", "per-band")),
    bandNames: optional(list(text)),
    sampleType: optional(oneOf("AUTO", "UINT16", "INT16", "FLOAT32")),
    caps: optional(members<SizeCaps>({ side: number, values: number, valuesTimesScenes: number })),
  }),
  intervals: members<IntervalsInto>({ calculations: optional(record(CALCULATION)) }),
  overpasses: members<OverpassesInto>({
    reducer: optional(oneOf(...REDUCERS)),
    reducers: optional(
      list(
        either(oneOf(...REDUCERS, "stdDev", "count"), (value, path) =>
          ("percentile" in Object(value) ? PERCENTILE : SHARE)(value, path),
        ),
      ),
    ),
    smooth: optional(object),
    trend: optional(oneOf("theil-sen")),
    season: optional(members<NonNullable<CurveOptions["season"]>>({ threshold: finite })),
  }),
  graph: members<GraphInto>({ budget: optional(number) }),
});
const REQUEST = members<Request>({ where: WHERE, when: WHEN, what: WHAT, into: INTO });

/**
 * Holds a request against its types: programs in plain JavaScript have nobody who does.
 *
 * @throws {Refusal} `invalid` with the path of the first member that is missing or of another type.
 */
export function checkRequest(request: unknown): asserts request is Request {
  REQUEST(request, []);
}
