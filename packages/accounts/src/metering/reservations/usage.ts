import type { Queries, StoreRow } from "@swath/store";

/** Units, in steps of 1/10,000, and requests. */
export interface Counts {
  readonly units: number;
  readonly requests: number;
}

/** The use of a payer in a month. */
export interface Usage extends Counts {
  readonly byDay: readonly (Counts & { readonly date: string })[];
  /** By operation id. */
  readonly byRoute: readonly (Counts & { readonly route: string })[];
  readonly byKey: readonly (Counts & { readonly id: string })[];
}

const READ = `select day, route, key_id, units, requests from unit_count
  where payer = $1 and day between $2 and $3`;

/** Reads the counts of a payer and sums them up: some hundred rows of a busy account. */
export async function readUsage(store: Queries, payer: string, month: string): Promise<Usage> {
  const rows = await store.query(READ, [payer, `${month}-01`, `${month}-31`]);
  const of = (column: string) => [...sumsBy(rows, column)].sort(([a], [b]) => (a < b ? -1 : 1));
  const all = [...sumsBy(rows, undefined).values()][0];
  return {
    ...(all ?? { units: 0, requests: 0 }),
    byDay: of("day").map(([date, counts]) => ({ date, ...counts })),
    byRoute: of("route").map(([route, counts]) => ({ route, ...counts })),
    byKey: of("key_id").map(([id, counts]) => ({ id, ...counts })),
  };
}

function sumsBy(rows: readonly StoreRow[], column: string | undefined): Map<string, Counts> {
  const sums = new Map<string, Counts>();
  for (const row of rows) {
    const name = column === undefined ? "" : String(row[column]);
    const { units, requests } = sums.get(name) ?? { units: 0, requests: 0 };
    sums.set(name, { units: units + Number(row.units), requests: requests + Number(row.requests) });
  }
  return sums;
}
