import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Item } from "@swath/catalog";
import type { ItemFacts, ItemStore } from "@swath/catalog/stored";
import { DatabaseSync, resultCode, type StatementSync } from "@swath/store/node/sqlite";
import { LRUCache } from "lru-cache";
import type { HeaderFacts } from "./header-facts.ts";

/** Raised where the tables or what is in them change: an older file is made anew. */
const VERSION = 4;
/** Longest wait for another process that writes to the file, milliseconds. */
const BUSY_MS = 30_000;
/** Facts of items that are read by one statement. */
const FACTS_AT_ONCE = 500;
/** Characters of items kept after they were read. */
const KEPT_CHARACTERS = 16 * 1_048_576;

const TABLES = `
  create table if not exists file (path text primary key, stamp text not null, header text, fault text) without rowid;
  create table if not exists item (
    key integer primary key, collection text not null, id text not null, source text not null, stamp text not null,
    facts text not null, document text not null, unique (collection, id)
  );
  create index if not exists item_source on item (source);
  create table if not exists document (path text primary key, stamp text not null, known text not null) without rowid;
  create table if not exists item_file (path text, key integer, primary key (path, key)) without rowid;
  create index if not exists item_file_key on item_file (key);
  create temp table if not exists seen_file (path text primary key) without rowid;
  create temp table if not exists seen_item (key integer primary key);
`;

/** A header as it was read, or why it could not be. */
export type KnownHeader = { readonly header: HeaderFacts } | { readonly fault: string };

/** An item as it is kept. */
export interface KeptItem {
  readonly facts: ItemFacts;
  readonly item: Item;
  /** The source of the item: the path of its document, or its id. */
  readonly source: string;
  /** Changes when the source changes. */
  readonly stamp: string;
  /** Paths of its files in the folder. */
  readonly files: readonly string[];
}

/** The contents of a document of the folder. */
interface KnownDocument {
  /** Number of items that have assets. */
  readonly images: number;
  /** Number of items without a fault of the document's own. */
  readonly good: number;
  /** The first faults, in words. */
  readonly faults: readonly string[];
  /** Number of all faults. */
  readonly faultCount: number;
}

/** The facts about a folder, kept in a file of the data directory, so that a second start opens no header. */
export class IndexFile implements ItemStore {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #items = new LRUCache<number, { readonly document: string }>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: ({ document }) => document.length,
  });

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Opens the file of a folder; one that is damaged or older is made anew.
   *
   * @param directory real path of the folder.
   */
  static open(dataDir: string, directory: string): IndexFile {
    const folder = join(dataDir, "archive");
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${createHash("sha256").update(directory).digest("hex").slice(0, 16)}.sqlite`);
    try {
      return new IndexFile(openDatabase(path));
    } catch (error) {
      if (!isDamaged(error)) throw error;
      for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
      return new IndexFile(openDatabase(path));
    }
  }

  /** Changes when another process has written. */
  get dataVersion(): number {
    return Number(this.#run("pragma data_version").get()?.data_version);
  }

  /** Begins to note what is there; {@link endScan} forgets the rest. */
  beginScan(): void {
    this.#database.exec("delete from seen_file; delete from seen_item");
  }

  /** @returns how many items were forgotten. */
  endScan(): number {
    return this.transaction(() => {
      this.#database.exec("delete from file where path not in (select path from seen_file)");
      this.#database.exec("delete from document where path not in (select path from seen_file)");
      const { changes } = this.#run("delete from item where key not in (select key from seen_item)").run();
      if (changes !== 0) this.#database.exec("delete from item_file where key not in (select key from item)");
      return Number(changes);
    });
  }

  transaction<T>(work: () => T): T {
    this.#database.exec("begin immediate");
    try {
      const result = work();
      this.#database.exec("commit");
      return result;
    } catch (error) {
      this.#database.exec("rollback");
      throw error;
    }
  }

  /** The header of a file, as long as its stamp is the same. */
  header(path: string, stamp: string): KnownHeader | undefined {
    const row = this.#run("select header, fault from file where path = ? and stamp = ?").get(path, stamp);
    if (row === undefined) return undefined;
    this.#run("insert or ignore into seen_file values (?)").run(path);
    return row.header === null ? { fault: String(row.fault) } : { header: JSON.parse(String(row.header)) };
  }

  keepHeader(path: string, stamp: string, known: KnownHeader): void {
    const [header, fault] = "header" in known ? [JSON.stringify(known.header), null] : [null, known.fault];
    this.#run("insert or replace into file values (?, ?, ?, ?)").run(path, stamp, header, fault);
    this.#run("insert or ignore into seen_file values (?)").run(path);
  }

  /** The contents of a document, as long as its stamp is the same. */
  document(path: string, stamp: string): KnownDocument | undefined {
    const row = this.#run("select known from document where path = ? and stamp = ?").get(path, stamp);
    if (row === undefined) return undefined;
    this.#run("insert or ignore into seen_file values (?)").run(path);
    return JSON.parse(String(row.known));
  }

  keepDocument(path: string, stamp: string, known: KnownDocument): void {
    this.#run("insert or replace into document values (?, ?, ?)").run(path, stamp, JSON.stringify(known));
    this.#run("insert or ignore into seen_file values (?)").run(path);
  }

  /** Whether an item has this file, of those that are there in this scan. */
  hasItemFile(path: string): boolean {
    const sql = "select 1 from item_file where path = ? and key in (select key from seen_item)";
    return this.#run(sql).get(path) !== undefined;
  }

  /** Notes that the items of a source are still there; 0 where it has none with that stamp. */
  keepSource(source: string, stamp: string): number {
    const sql = "insert or ignore into seen_item select key from item where source = ? and stamp = ?";
    return Number(this.#run(sql).run(source, stamp).changes);
  }

  /** @returns false where another source has an item of the same collection and id. */
  keepItem({ facts, item, source, stamp, files }: KeptItem): boolean {
    const known = this.#run("select key, source from item where collection = ? and id = ?").get(
      facts.collection,
      facts.id,
    );
    const isSeen =
      known !== undefined && this.#run("select 1 from seen_item where key = ?").get(Number(known.key)) !== undefined;
    if (isSeen) return false;
    const { key } = this.#run(
      "insert into item (collection, id, source, stamp, facts, document) values (?, ?, ?, ?, ?, ?) " +
        "on conflict (collection, id) do update set source = excluded.source, stamp = excluded.stamp, " +
        "facts = excluded.facts, document = excluded.document returning key",
    ).get(facts.collection, facts.id, source, stamp, JSON.stringify(facts), JSON.stringify(item)) as { key: number };
    this.#items.delete(key);
    this.#run("delete from item_file where key = ?").run(key);
    for (const path of files) this.#run("insert or ignore into item_file values (?, ?)").run(path, key);
    this.#run("insert or ignore into seen_item values (?)").run(key);
    return true;
  }

  *facts(): Generator<{ readonly key: number; readonly facts: ItemFacts }> {
    // page by page: whoever reads them may let others write meanwhile
    for (let last = 0; ; ) {
      const rows = this.#run("select key, facts from item where key > ? order by key limit ?").all(last, FACTS_AT_ONCE);
      for (const row of rows) yield { key: Number(row.key), facts: JSON.parse(String(row.facts)) };
      if (rows.length < FACTS_AT_ONCE) return;
      last = Number(rows.at(-1)?.key);
    }
  }

  item(key: number): Item | undefined {
    const known = this.#items.get(key);
    const document = known?.document ?? this.#run("select document from item where key = ?").get(key)?.document;
    if (typeof document !== "string") return undefined;
    if (known === undefined) this.#items.set(key, { document });
    return JSON.parse(document) as Item;
  }

  /** Forgets the items that are kept in memory: another process may have changed them. */
  forget(): void {
    this.#items.clear();
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #run(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    database.exec("pragma journal_mode = wal; pragma synchronous = normal; pragma temp_store = memory");
    const version = Number(database.prepare("pragma user_version").get()?.user_version);
    if (version !== VERSION)
      database.exec(
        "drop table if exists file; drop table if exists item; drop table if exists document; drop table if exists item_file",
      );
    database.exec(`${TABLES} pragma user_version = ${VERSION}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Damaged, or no database at all (https://www.sqlite.org/rescode.html). */
function isDamaged(error: unknown): boolean {
  const code = resultCode(error);
  return code === 11 || code === 26;
}
