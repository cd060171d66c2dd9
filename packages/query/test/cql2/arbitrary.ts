import fc from "fast-check";
import {
  ARITHMETIC_OPERATORS,
  ARRAY_OPERATORS,
  type IntervalBound,
  SPATIAL_OPERATORS,
  TEMPORAL_OPERATORS,
} from "../../src/filter.ts";
import { type Filter, findInstant, type Geometry, type Operand, type Pattern } from "../../src/index.ts";

/** Any text that CQL2 text can write: it cannot end in a backslash. */
const text = fc.string({ unit: "grapheme", maxLength: 8 }).map((value) => value.replace(/\\+$/, ""));
const awkward = fc.constantFrom("it's", "\\'", "''", "100\\%", "a\\b", "%_", '"', "or", " ", "é", "😀", "BBOX(1)");
const anyText = fc.oneof(text, awkward);

const name = fc.oneof(
  fc.constantFrom(
    "eo:cloud_cover",
    "datetime",
    "and",
    "date",
    "TRUE",
    "a.b",
    "Point",
    "with space",
    'a"b',
    "x-1",
    "été",
  ),
  fc.string({ minLength: 1, maxLength: 6 }).filter((value) => !value.startsWith("properties.")),
);
const functionName = fc.constantFrom("avg", "Buffer", "f1", "eo:mean");

const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 0.1, 1e300),
);
const instant = fc
  .tuple(
    fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-30"), noInvalidDate: true }),
    fc.integer({ min: 0, max: 999_999 }),
  )
  .map(([date, micro]) => {
    const fraction = `${date.toISOString().slice(20, 23)}${String(micro).padStart(6, "0")}`.replace(/0+$/, "");
    return findInstant(`${date.toISOString().slice(0, 19)}${fraction === "" ? "" : `.${fraction}`}Z`)!;
  });
const day = fc
  .date({ min: new Date("0001-01-01"), max: new Date("9999-12-30"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const position = fc
  .tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.double({ min: -90, max: 90, noNaN: true }))
  .chain(([x, y]) =>
    fc.oneof(
      fc.constant([x, y]),
      fc.double({ min: -1e5, max: 1e5, noNaN: true }).map((z) => [x, y, z]),
    ),
  );
const line = fc.array(position, { minLength: 2, maxLength: 4 });
const ring = fc.array(position, { minLength: 3, maxLength: 5 }).map((open) => [...open, open[0]!]);
const rings = fc.array(ring, { minLength: 1, maxLength: 2 });
const few = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(one, { minLength: 1, maxLength: 3 });
const single: fc.Arbitrary<Geometry> = fc.oneof(
  position.map((coordinates): Geometry => ({ type: "Point", coordinates })),
  few(position).map((coordinates): Geometry => ({ type: "MultiPoint", coordinates })),
  line.map((coordinates): Geometry => ({ type: "LineString", coordinates })),
  few(line).map((coordinates): Geometry => ({ type: "MultiLineString", coordinates })),
  rings.map((coordinates): Geometry => ({ type: "Polygon", coordinates })),
  few(rings).map((coordinates): Geometry => ({ type: "MultiPolygon", coordinates })),
);
const geometry = fc.oneof(
  single,
  few(single).map((geometries): Geometry => ({ type: "GeometryCollection", geometries })),
);
const bbox = fc
  .tuple(
    fc.integer({ min: -180, max: 180 }),
    fc.integer({ min: -90, max: 0 }),
    fc.integer({ min: -180, max: 180 }),
    fc.integer({ min: 0, max: 90 }),
  )
  .chain(([west, south, east, north]) =>
    fc.constantFrom([west, south, east, north], [west, south, -1.5, east, north, 2000]),
  );

const pattern: fc.Arbitrary<Pattern> = fc.oneof(
  anyText,
  anyText.map((casei): Pattern => ({ casei })),
  anyText.map((inner): Pattern => ({ accenti: { casei: inner } })),
);

/** Filters as either encoding can say them, operands of the types that go together. */
export const filters: fc.Arbitrary<Filter> = fc.letrec<{
  filter: Filter;
  scalar: Operand;
  numeric: Operand;
  textual: Operand;
  spatial: Operand;
  temporal: Operand;
  list: Operand;
  any: Operand;
}>((tie) => {
  const property = name.map((property): Operand => ({ property }));
  const call = fc
    .tuple(functionName, fc.array(tie("any"), { maxLength: 3 }))
    .map(([name, args]): Operand => ({ function: name, args }));
  const timeOperand = fc.oneof(
    instant.map((instant): Operand => ({ instant })),
    day.map((date): Operand => ({ date })),
  );
  const bound: fc.Arbitrary<IntervalBound> = fc.oneof(fc.constant(".." as const), property, call);
  const two = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<{ left: T; right: T }> => fc.record({ left: one, right: one });
  const leaf = { depthSize: "small", withCrossShrink: true } as const;
  return {
    filter: fc.oneof(
      leaf,
      fc
        .constantFrom("eq", "neq", "lt", "lte", "gt", "gte")
        .chain((operator) =>
          fc
            .oneof(two(tie("numeric")), two(tie("textual")), two(fc.oneof(timeOperand, property)))
            .map((sides): Filter => ({ op: "compare", operator, ...(sides as { left: Operand; right: Operand }) })),
        ),
      fc.boolean().map((literal): Filter => ({ op: "boolean", operand: { literal } })),
      call.map((operand): Filter => ({ op: "boolean", operand })),
      tie("any")
        .filter((operand) => !("array" in operand))
        .map((operand): Filter => ({ op: "isNull", operand })),
      fc.record({ operand: tie("textual"), pattern }).map((parts): Filter => ({ op: "like", ...parts })),
      fc
        .record({ operand: tie("numeric"), lower: tie("numeric"), upper: tie("numeric") })
        .map((parts): Filter => ({ op: "between", ...parts })),
      fc
        .record({ operand: tie("textual"), values: fc.array(tie("textual"), { minLength: 1, maxLength: 3 }) })
        .map((parts): Filter => ({ op: "in", ...parts })),
      fc
        .tuple(fc.constantFrom(...SPATIAL_OPERATORS), two(tie("spatial")))
        .map(([operator, sides]): Filter => ({ op: "spatial", operator, ...sides })),
      fc
        .tuple(fc.constantFrom(...TEMPORAL_OPERATORS), two(tie("temporal")))
        .map(([operator, sides]): Filter => ({ op: "temporal", operator, ...sides })),
      fc
        .tuple(fc.constantFrom(...ARRAY_OPERATORS), two(tie("list")))
        .map(([operator, sides]): Filter => ({ op: "array", operator, ...sides })),
      tie("filter").map((arg): Filter => ({ op: "not", arg })),
      fc
        .tuple(fc.constantFrom("and" as const, "or" as const), fc.array(tie("filter"), { minLength: 2, maxLength: 3 }))
        .map(([op, args]): Filter => ({ op, args })),
    ),
    scalar: fc.oneof(tie("numeric"), tie("textual"), timeOperand),
    numeric: fc.oneof(
      leaf,
      number.map((literal): Operand => ({ literal })),
      property,
      call,
      fc
        .tuple(fc.constantFrom(...ARITHMETIC_OPERATORS), two(tie("numeric")))
        .map(([arithmetic, sides]): Operand => ({ arithmetic, ...sides })),
    ),
    textual: fc.oneof(
      leaf,
      anyText.map((literal): Operand => ({ literal })),
      property,
      tie("textual").map((casei): Operand => ({ casei })),
      tie("textual").map((accenti): Operand => ({ accenti })),
    ),
    spatial: fc.oneof(
      property,
      geometry.map((geometry): Operand => ({ geometry })),
      bbox.map((bbox): Operand => ({ bbox })),
    ),
    temporal: fc.oneof(
      property,
      timeOperand,
      fc.tuple(bound, bound).map((interval): Operand => ({ interval })),
      timeOperand.map((time): Operand => ({ interval: [time, ".."] })),
    ),
    list: fc.oneof(
      leaf,
      property,
      fc.array(tie("any"), { maxLength: 3 }).map((array): Operand => ({ array })),
    ),
    any: fc.oneof(
      leaf,
      tie("scalar"),
      fc.boolean().map((literal): Operand => ({ literal })),
      tie("spatial"),
      tie("temporal"),
      tie("list"),
      tie("filter")
        .filter(({ op }) => op !== "boolean")
        .map((filter): Operand => ({ filter })),
    ),
  };
}).filter;
