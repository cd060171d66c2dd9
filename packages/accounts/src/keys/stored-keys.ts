import { randomBytes } from "node:crypto";
import type { Queries, Store } from "@swath/store";
import { hashSecret, makeSecret } from "../secrets/secrets.ts";

/** A key as its owner sees it; times are epoch milliseconds. */
export interface KeyEntry {
  readonly id: string;
  readonly name: string;
  /** First eight characters of each secret that works: two while a rotated one is kept for a while. */
  readonly prefixes: readonly string[];
  readonly created: number;
  readonly disabled?: number;
  /** Requests counted in the month given. */
  readonly requests: number;
}

/** A key whose secret is known this once. */
export interface NewSecret {
  readonly id: string;
  readonly secret: string;
}

/** Keys in the store, for the command line. */
export interface StoredKeys {
  create(name: string): Promise<NewSecret>;
  list(month: string): Promise<readonly KeyEntry[]>;
  /** @throws {KeyError} unless there is such a key; a disabled one stays as it is. */
  disable(id: string): Promise<void>;
  /**
   * Gives the key a new secret; the old one works for `graceMs` more. Its id, its jobs and its count stay.
   *
   * @throws {KeyError} unless there is such a key and it is not disabled.
   */
  rotate(id: string, graceMs: number): Promise<NewSecret>;
}

/** A fault of a key that its caller can mend. */
export class KeyError extends Error {
  override readonly name = "KeyError";
  readonly code: "unknown-key" | "disabled-key";

  constructor(code: KeyError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

const SQL = {
  key: "insert into api_key(id, name, created) values ($1, $2, $3)",
  secret: "insert into key_secret(key_id, prefix, salt, hash, created) values ($1, $2, $3, $4, $5)",
  list: `select k.id, k.name, k.created, k.disabled, s.prefix, s.expires, coalesce(u.requests, 0) as requests
    from api_key k
    left join key_secret s on s.key_id = k.id
    left join usage_count u on u.key_id = k.id and u.month = $1
    order by k.created, k.id, s.created desc`,
  find: "select disabled from api_key where id = $1",
  disable: "update api_key set disabled = $2 where id = $1 and disabled is null",
  expire: "update key_secret set expires = $2 where key_id = $1 and (expires is null or expires > $2)",
  forget: "delete from key_secret where key_id = $1 and expires <= $2",
};

/** Opens the keys of a store. */
export function storedKeys(store: Store, now: () => number = Date.now): StoredKeys {
  const addSecret = async (db: Queries, id: string): Promise<NewSecret> => {
    const secret = makeSecret();
    const { prefix, salt, hash } = hashSecret(secret);
    await db.query(SQL.secret, [id, prefix, salt, hash, now()]);
    return { id, secret };
  };
  /** Whether the key is disabled. */
  const find = async (db: Queries, id: string): Promise<boolean> => {
    const [row] = await db.query(SQL.find, [id]);
    if (row === undefined) throw new KeyError("unknown-key", `There is no key with the id "${id}".`);
    return row.disabled !== null;
  };
  return {
    create: (name) =>
      store.transaction("keys", async (db) => {
        const id = randomBytes(8).toString("hex");
        await db.query(SQL.key, [id, name, now()]);
        return addSecret(db, id);
      }),
    async list(month) {
      const rows = await store.query(SQL.list, [month]);
      const entries = new Map<string, KeyEntry & { prefixes: string[] }>();
      for (const row of rows) {
        const id = String(row.id);
        const entry = entries.get(id) ?? {
          id,
          name: String(row.name),
          prefixes: [],
          created: Number(row.created),
          ...(row.disabled === null ? {} : { disabled: Number(row.disabled) }),
          requests: Number(row.requests),
        };
        entries.set(id, entry);
        const works = row.expires === null || Number(row.expires) > now();
        if (row.prefix !== null && works) entry.prefixes.push(String(row.prefix));
      }
      return [...entries.values()];
    },
    disable: (id) =>
      store.transaction("keys", async (db) => {
        await find(db, id);
        await db.query(SQL.disable, [id, now()]);
      }),
    rotate: (id, graceMs) =>
      store.transaction("keys", async (db) => {
        if (await find(db, id)) throw new KeyError("disabled-key", `The key "${id}" is disabled: create a new one.`);
        await db.query(SQL.expire, [id, now() + graceMs]);
        await db.query(SQL.forget, [id, now()]);
        return addSecret(db, id);
      }),
  };
}
