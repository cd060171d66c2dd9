/** Mulberry32: the same seed gives the same requests. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Texts that readers of parameters may stumble over. */
export const TEXTS = [
  "",
  " ",
  "0",
  "-1",
  "1e309",
  "NaN",
  "null",
  "true",
  "999999999999999999999",
  "%00",
  "%",
  "%zz",
  "%C3%28",
  "../../etc/passwd",
  "..%2f..%2f",
  "'; drop table jobs; --",
  "<script>",
  "\u{1F6F0}",
  "a".repeat(3000),
  ",".repeat(500),
  "[".repeat(400),
  "__proto__",
  "constructor",
  "9999-12-31T23:59:60Z",
  "../..",
  "-180,-90,180,90",
  "180,0,-180,0",
  "{}",
  "[]",
];
/** Values that readers of documents may stumble over. */
export const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1e308,
  1.5,
  "",
  "nothing",
  [],
  {},
  [[[]]],
  { type: "Polygon", coordinates: [] },
  {
    type: "Polygon",
    coordinates: [
      [
        [0, 0],
        [1, 1],
        [0, 1],
        [1, 0],
        [0, 0],
      ],
    ],
  },
  { type: "GeometryCollection", geometries: [{ type: "Point", coordinates: [] }] },
  "x".repeat(5000),
  Array.from({ length: 300 }, (_, i) => i),
  JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}'),
];

/** Changes, adds or takes away one member of a document, anywhere in it. */
export function replaceSomewhere(document: unknown, random: () => number, pick: <T>(list: readonly T[]) => T): void {
  let at = document as Record<string, unknown>;
  for (;;) {
    const keys = Object.keys(at);
    if (keys.length === 0) return;
    const key = pick(keys);
    const inner = at[key];
    if (typeof inner === "object" && inner !== null && random() < 0.75) {
      at = inner as Record<string, unknown>;
      continue;
    }
    const chance = random();
    if (chance < 0.15) delete at[key];
    else if (chance < 0.3) at[pick(["colour", "__proto__", "filter", "0"])] = structuredClone(pick(VALUES));
    else at[key] = structuredClone(pick(VALUES));
    return;
  }
}

/** The time of a mutated request at most, in times of the slowest good one. */
const SLOW = 60;

/**
 * The time within which a mutated request is answered, milliseconds, by that of the good ones that it is made of: each is
 * asked twice, the second time with its files open.
 */
export async function slowTime(asks: readonly (() => Promise<unknown>)[]): Promise<number> {
  let slowest = 0;
  for (const ask of asks) {
    await ask();
    const started = performance.now();
    await ask();
    slowest = Math.max(slowest, performance.now() - started);
  }
  return SLOW * slowest;
}
