import { randomBytes } from "node:crypto";
import type { Queries, Store, StoreRow } from "@swath/store";
import { AccountError } from "../people/account.ts";
import { ACCOUNT_TURN } from "../people/account-rows.ts";
import { hashOf } from "../secrets/secret-hash.ts";
import { prefixOf } from "../secrets/secrets.ts";
import type { MarkedSecrets } from "./marked-secrets.ts";

/** Active maps of one account, and of the service's owner. */
export const MAX_MAPS = 20;
/** Time for which maps that have ended stay in lists, milliseconds. */
const ENDED_MS = 90 * 86_400_000;

/** Settings of a map: its token shows no more than they allow. */
export interface MapSettings {
  readonly name?: string | undefined;
  /** Ids of the presets that it shows; absent: all. */
  readonly presets?: readonly string[] | undefined;
  /** Ids of the collections that it shows; absent: all. */
  readonly collections?: readonly string[] | undefined;
  /** Origins of the pages that may show it; absent: all. Requests without an origin are taken. */
  readonly origins?: readonly string[] | undefined;
  readonly unitsPerDay: number;
  /** Epoch milliseconds. */
  readonly expires: number;
}

/** A map token without its secret; times are epoch milliseconds. */
export interface MapToken extends MapSettings {
  readonly id: string;
  /** First eight characters of the secret. */
  readonly prefix: string;
  readonly created: number;
  readonly status: "active" | "expired" | "ended";
}

/** The account has as many active maps as it may have. */
export class MapLimitError extends Error {
  override readonly name = "MapLimitError";
  readonly max = MAX_MAPS;
  readonly active: number;

  constructor(active: number) {
    super(`There are ${active} active maps, and there may be ${MAX_MAPS}: end one first.`);
    this.active = active;
  }
}

/** Map tokens of accounts and of the service's owner, in the store. */
export interface MapTokens {
  /**
   * Makes a token; its secret is known this once.
   *
   * @param account id, or undefined for the service's owner.
   * @throws {MapLimitError} where there are twenty active ones.
   * @throws {AccountError} `unknown-account` where the account is deleted.
   */
  create(
    account: string | undefined,
    settings: MapSettings,
  ): Promise<{ readonly map: MapToken; readonly secret: string }>;
  /** Active maps, then the newest others, at most a hundred. */
  list(account: string | undefined): Promise<readonly MapToken[]>;
  find(account: string | undefined, id: string): Promise<MapToken | undefined>;
  /** First eight characters of the secret of any map; undefined where there is none. */
  prefixOf(id: string): Promise<string | undefined>;
  /**
   * Ends a map. One that has ended stays as it is.
   *
   * @returns the hash of the secret that stops; undefined where there is no such map of the account.
   */
  end(account: string | undefined, id: string): Promise<string | undefined>;
  /** Removes maps that ended three months ago. */
  removeExpired(): Promise<void>;
}

const COLUMNS = "id, name, prefix, presets, collections, origins, units_day, created, expires, ended";
/** The account that is asked for; the owner's maps have none. */
const OWN = "coalesce(account_id, '') = $1";
const ACTIVE = "ended is null and expires > $2";
const SQL = {
  account: "select id from account where id = $1 and deleted is null",
  active: `select count(*) as maps from map_token where ${OWN} and ${ACTIVE}`,
  create: `insert into map_token(id, account_id, hash, prefix, name, presets, collections, origins, units_day, created, expires)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning ${COLUMNS}`,
  list: `select ${COLUMNS} from map_token where ${OWN}
    order by case when ${ACTIVE} then 0 else 1 end, created desc, id limit 100`,
  find: `select ${COLUMNS} from map_token where ${OWN} and id = $2`,
  prefix: "select prefix from map_token where id = $1",
  end: `update map_token set ended = coalesce(ended, $3) where ${OWN} and id = $2 returning hash`,
  remove: "delete from map_token where ended <= $1 or expires <= $1",
};

/** Writes a list as the store holds it. */
const written = (list: readonly string[] | undefined): string | null =>
  list === undefined ? null : JSON.stringify(list);

/** Reads a list of the store. */
export function listOf(value: StoreRow[string] | undefined): readonly string[] | undefined {
  return value === null || value === undefined ? undefined : (JSON.parse(String(value)) as string[]);
}

function mapOf(row: StoreRow, now: number): MapToken {
  const [presets, collections, origins] = [row.presets, row.collections, row.origins].map(listOf);
  const expires = Number(row.expires);
  return {
    id: String(row.id),
    prefix: String(row.prefix),
    ...(row.name === null ? {} : { name: String(row.name) }),
    ...(presets === undefined ? {} : { presets }),
    ...(collections === undefined ? {} : { collections }),
    ...(origins === undefined ? {} : { origins }),
    unitsPerDay: Number(row.units_day),
    created: Number(row.created),
    expires,
    status: row.ended !== null ? "ended" : expires <= now ? "expired" : "active",
  };
}

/** Opens the map tokens of a store. */
export function storedMapTokens(store: Store, secrets: MarkedSecrets, now: () => number): MapTokens {
  const make = async (db: Queries, account: string | undefined, settings: MapSettings, secret: string) => {
    const time = now();
    if (account !== undefined && (await db.query(SQL.account, [account])).length === 0) {
      throw new AccountError("unknown-account", "The account is deleted.");
    }
    const [row] = await db.query(SQL.active, [account ?? "", time]);
    if (Number(row?.maps) >= MAX_MAPS) throw new MapLimitError(Number(row?.maps));
    const { name, presets, collections, origins, unitsPerDay, expires } = settings;
    const [made] = await db.query(SQL.create, [
      randomBytes(12).toString("hex"),
      account ?? null,
      hashOf(secret),
      prefixOf(secret),
      name ?? null,
      ...[presets, collections, origins].map(written),
      unitsPerDay,
      time,
      expires,
    ]);
    return { map: mapOf(made as StoreRow, time), secret };
  };
  return {
    async create(account, settings) {
      const secret = await secrets.make();
      return store.transaction(ACCOUNT_TURN, (db) => make(db, account, settings, secret));
    },
    list: async (account) => (await store.query(SQL.list, [account ?? "", now()])).map((row) => mapOf(row, now())),
    async find(account, id) {
      const [row] = await store.query(SQL.find, [account ?? "", id]);
      return row === undefined ? undefined : mapOf(row, now());
    },
    async prefixOf(id) {
      const [row] = await store.query(SQL.prefix, [id]);
      return row === undefined ? undefined : String(row.prefix);
    },
    async end(account, id) {
      const [row] = await store.query(SQL.end, [account ?? "", id, now()]);
      return row === undefined ? undefined : String(row.hash);
    },
    async removeExpired() {
      await store.query(SQL.remove, [now() - ENDED_MS]);
    },
  };
}
