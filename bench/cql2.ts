// npm run bench -- --sections cql2: filters read and printed a second, beside cql2-wasm (cql2-rs), and items judged a second.
import { parseJson, parseText } from "cql2-wasm";
import {
  formatCql2Text,
  matchesFilter,
  parseCql2Json,
  parseCql2Text,
  type SearchItem,
  toCql2Json,
} from "../packages/query/src/index.ts";
import { type Summary, summarize } from "./measure.ts";
import { type Bench, spread, table } from "./table.ts";

const ring = (vertices: number): string =>
  Array.from({ length: vertices + 1 }, (_, i) => {
    const angle = ((i % vertices) / vertices) * 2 * Math.PI;
    return `${(10 + 3 * Math.cos(angle)).toFixed(6)} ${(45 + 2 * Math.sin(angle)).toFixed(6)}`;
  }).join(", ");

/** Filters as clients send them, from the shortest to a polygon of many vertices. */
const FILTERS: Readonly<Record<string, string>> = {
  comparison: "eo:cloud_cover < 20",
  "six conditions":
    "eo:cloud_cover BETWEEN 0 AND 20 AND platform IN ('sentinel-2a', 'sentinel-2b') AND NOT (gsd > 30 OR id LIKE 'S2A%') AND datetime >= TIMESTAMP('2024-01-01T00:00:00Z')",
  functions:
    "CASEI(platform) = CASEI('Sentinel-2A') AND T_DURING(datetime, INTERVAL('2024-01-01', '2024-12-31')) AND A_CONTAINS(instruments, ('msi')) AND (gsd * 2 + 1) ^ 2 > 100",
  "polygon of 10": `S_INTERSECTS(geometry, POLYGON((${ring(10)})))`,
  "polygon of 1,000": `S_INTERSECTS(geometry, POLYGON((${ring(1000)})))`,
  "200 conditions": Array.from({ length: 200 }, (_, i) => `gsd <> ${i}`).join(" AND "),
};

const ITEM: SearchItem = {
  id: "S2A_T32TMT_20240422",
  collection: "sentinel-2-l2a",
  geometry: {
    type: "Polygon",
    coordinates: [
      [
        [8, 44],
        [9.4, 44.1],
        [9.3, 45.1],
        [7.9, 45],
        [8, 44],
      ],
    ],
  },
  properties: {
    datetime: "2024-04-22T17:53:02.036Z",
    platform: "sentinel-2a",
    instruments: ["msi"],
    "eo:cloud_cover": 12,
    gsd: 10,
  },
};

/** Microseconds of one run: five rounds of 100 ms, after one that only warms up. */
function microseconds(run: () => unknown): Summary {
  const rounds: number[] = [];
  let result: unknown;
  for (let round = -1; round < 5; round++) {
    const start = performance.now();
    let runs = 0;
    while (performance.now() - start < 100) {
      result = run();
      runs += 1;
    }
    if (round >= 0) rounds.push(((performance.now() - start) / runs) * 1000);
  }
  if (result === undefined) throw new Error("The work has no result.");
  return summarize(rounds);
}

/** Both readers check as far as cql2-wasm does: syntax, not names and types. Its results are freed, as it asks. */
export async function cql2Filters({ print }: Bench): Promise<void> {
  const rows = Object.entries(FILTERS).map(([name, text]) => {
    const filter = parseCql2Text(text);
    const json = JSON.stringify(toCql2Json(filter));
    const freed = (read: () => { free(): void }) => (): boolean => {
      read().free();
      return true;
    };
    const expression = parseText(text);
    const costs = [
      microseconds(() => parseCql2Text(text)),
      microseconds(freed(() => parseText(text))),
      microseconds(() => parseCql2Json(JSON.parse(json))),
      microseconds(freed(() => parseJson(json))),
      microseconds(() => formatCql2Text(filter)),
      microseconds(() => expression.to_text()),
      microseconds(() => matchesFilter(filter, ITEM)),
    ];
    expression.free();
    return [name, ...costs.map((cost) => spread(cost))];
  });
  print("Microseconds a filter: median (min–max) of five rounds after one that only warms up.");
  print();
  print(
    table(
      ["", "text read", "cql2-wasm", "JSON read", "cql2-wasm", "text printed", "cql2-wasm", "an item judged"],
      rows,
    ),
  );
}
