import type { AggregationName, CountInterval } from "@swath/query/aggregation";
import type { Counts, Item } from "../../src/index.ts";

const { DatabaseSync } = await import("node:sqlite").catch(() => ({ DatabaseSync: undefined }));

/** Whether this Node has SQLite, whose SQL and dates are the truth here. */
export const hasSql = DatabaseSync !== undefined;

/** Dates of SQLite: the beginning of the interval of `t`. */
const START: Readonly<Record<CountInterval, string>> = {
  day: "date(t)",
  week: "date(t, 'weekday 0', '-6 days')",
  month: "date(t, 'start of month')",
  year: "date(t, 'start of year')",
};

/** Counts of items by SQL, as {@link plainCounts} shows those of a catalog. */
export function sqlCounts(items: readonly Item[], interval: CountInterval): Record<string, unknown> {
  if (DatabaseSync === undefined) throw new Error("This Node has no SQLite.");
  const database = new DatabaseSync(":memory:");
  database.exec("create table item (collection text, t text, cover real, platform text, grid text)");
  const insert = database.prepare("insert into item values (?, ?, ?, ?, ?)");
  for (const { collection, properties } of items) {
    const { "eo:cloud_cover": cover = null, platform = null } = properties;
    insert.run(collection, properties.datetime, cover as number | null, platform as string | null, gridOf(properties));
  }
  const grouped = (key: string): Record<string, number> => {
    const rows = database.prepare(`select ${key} as key, count(*) as n from item group by 1 having key is not null`);
    return Object.fromEntries(rows.all().map(({ key: of, n }) => [String(of), Number(n)]));
  };
  const one = (expression: string) => database.prepare(`select ${expression} as value from item`).get()?.value;
  const counts = {
    total_count: Number(one("count(*)")),
    datetime_min: one("min(julianday(t))"),
    datetime_max: one("max(julianday(t))"),
    datetime_frequency: Object.fromEntries(
      Object.entries(grouped(START[interval])).map(([day, n]) => [`${day}T00:00:00.000Z`, n]),
    ),
    cloud_cover_frequency: grouped(
      "case when cover < 5 then '*-5.0' when cover < 15 then '5.0-15.0' when cover < 40 then '15.0-40.0' when cover >= 40 then '40.0-*' end",
    ),
    platform_frequency: grouped("platform"),
    collection_frequency: grouped("collection"),
    grid_code_frequency: grouped("coalesce(grid, 'none')"),
  } satisfies Record<AggregationName, unknown>;
  database.close();
  return counts;
}

/** Test items of Sentinel-2 have tiles, those of Landsat paths and rows. */
function gridOf(properties: Item["properties"]): string | null {
  const { "s2:mgrs_tile": tile, "landsat:wrs_path": path, "landsat:wrs_row": row } = properties;
  if (typeof tile === "string") return `MGRS-${tile}`;
  return path === undefined ? null : `WRS2-${path}${row}`;
}

/** Counts as plain values; times as days of the Julian calendar. */
export function plainCounts({ counts }: Counts): Record<string, unknown> {
  const days = (value: unknown): unknown =>
    typeof value === "string" ? Date.parse(value) / 86_400_000 + 2_440_587.5 : value;
  return Object.fromEntries(
    [...counts].map(([name, { value, buckets }]) => [
      name,
      value === undefined ? Object.fromEntries(buckets) : days(value),
    ]),
  );
}
