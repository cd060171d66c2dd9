import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** A JSON object as an archive wrote it. */
export type Json = Readonly<Record<string, unknown>>;

/** An item as an archive wrote it. */
export interface RecordedItem extends Json {
  readonly type: "Feature";
  readonly id: string;
  readonly collection?: string;
  readonly geometry: Json | null;
  readonly bbox?: readonly number[];
  readonly properties: Json;
  readonly assets: Readonly<Record<string, Json>>;
}

/** A recorded request and its answer. Bodies are JSON where they were JSON, else text. */
export interface Exchange {
  /** Name of the file, without folder and ending. */
  readonly name: string;
  /** Folder of the file: `earth-search`, `errors` … */
  readonly archive: string;
  readonly request: { readonly method: string; readonly url: string; readonly body: unknown };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
}

/** Everything that was recorded of the archives. */
export interface Recordings {
  /** In the order of their files' names. */
  readonly exchanges: readonly Exchange[];
  /** Refusals as users quote them, by the name of their file. */
  readonly quoted: ReadonlyMap<string, Exchange>;
  /** Items of an archive, each collection's id once. */
  items(archive: string): readonly RecordedItem[];
  /** Collection documents of an archive by id, the newest of each. */
  collections(archive: string): ReadonlyMap<string, Json>;
  /** A file of the folder `live` as JSON. */
  document(path: string): unknown;
}

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** Folders of each archive's files below the fixtures. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  "earth-search": ["stac/earth-search/v1", "live/earth-search"],
  "planetary-computer": ["stac/planetary-computer", "live/planetary-computer"],
  "nasa-cmr-stac": ["live/nasa-cmr-stac"],
  usgs: ["stac/stactools/landsat-l1", "stac/stactools/landsat-l2", "live/usgs"],
  cdse: ["live/cdse"],
  "digital-earth-africa": ["live/digital-earth-africa"],
  "digital-earth-australia": ["live/digital-earth-australia"],
  errors: ["live/errors"],
};

/** Recordings that are not answers of the API that stands at an archive's address now. */
const OLDER = /item-v0-|items-16-v0-|static-file/;

/** Reads the recorded answers below the folder that SWATH_FIXTURES names. */
export function readRecordings(fixtures: string): Recordings {
  const files = Object.entries(FOLDERS).flatMap(([archive, folders]) =>
    folders.flatMap((folder) => filesOf(join(fixtures, folder), archive)),
  );
  const all = files.flatMap(({ archive, name, path, document }) => exchangeOf(archive, name, path, document) ?? []);
  const of = (archive: string): readonly unknown[] =>
    files
      .filter((file) => file.archive === archive && !OLDER.test(file.name) && isOwnForm(file))
      .map(({ path, document }) => bodyOf(path, document));
  return {
    exchanges: all.filter(({ archive }) => archive !== "errors"),
    quoted: new Map(all.flatMap((each) => (each.archive === "errors" ? [[each.name, each]] : []))),
    items: (archive) => {
      const found = new Map<string, RecordedItem>();
      for (const item of of(archive).flatMap(itemsIn)) {
        const key = `${item.collection}/${item.id}`;
        if (isWhole(item) && !found.has(key)) found.set(key, item);
      }
      return [...found.values()];
    },
    collections: (archive) =>
      new Map(
        of(archive)
          .flatMap(collectionsIn)
          .map((each) => [String(each.id), each]),
      ),
    document: (path) => JSON.parse(readFileSync(join(fixtures, "live", path), "utf8")),
  };
}

interface RecordedFile {
  readonly archive: string;
  readonly name: string;
  readonly path: string;
  readonly document: unknown;
}

function filesOf(folder: string, archive: string): RecordedFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json") && !file.endsWith(".body.json"))
    .sort()
    .map((file) => {
      const path = join(folder, file);
      return { archive, name: basename(file, ".json"), path, document: JSON.parse(readFileSync(path, "utf8")) };
    });
}

/** Accepts, among the documents of stactools, those that USGS wrote and not those that stactools made of them. */
function isOwnForm({ path, name }: RecordedFile): boolean {
  return !path.includes("stactools") || name.endsWith(".usgs");
}

/** The recorded exchange of a file: whole in one file, or with its body beside it. */
function exchangeOf(archive: string, file: string, path: string, document: unknown): Exchange | undefined {
  if (!isJson(document) || !isJson(document.request) || !isJson(document.response)) return undefined;
  const { request, response } = document;
  return {
    name: file.replace(/\.exchange$/, ""),
    archive,
    request: {
      method: String(request.method),
      url: String(request.url ?? request.uri),
      body: request.body ?? undefined,
    },
    response: {
      status: Number(response.status),
      headers: isJson(response.headers) ? (response.headers as Record<string, string>) : {},
      body: bodyOf(path, document),
    },
  };
}

function bodyOf(path: string, document: unknown): unknown {
  if (!isJson(document) || !isJson(document.response)) return document;
  const { body, body_file: file } = document.response;
  return typeof file === "string" ? JSON.parse(readFileSync(join(path, "..", file), "utf8")) : body;
}

/** Items of a document: itself, those of a feature collection, or those of a list. */
export function itemsIn(document: unknown): readonly RecordedItem[] {
  if (Array.isArray(document)) return document.flatMap(itemsIn);
  if (!isJson(document)) return [];
  if (document.type === "FeatureCollection") return itemsIn(document.features);
  return document.type === "Feature" ? [document as RecordedItem] : [];
}

/** Collections of a document: itself, or those of a list. Lists of ids and titles have none. */
function collectionsIn(document: unknown): readonly Json[] {
  if (!isJson(document)) return [];
  if (Array.isArray(document.collections)) return document.collections.flatMap(collectionsIn);
  return document.type === "Collection" ? [document] : [];
}

/** Searches with `fields` leave members out. */
function isWhole({ geometry, assets, properties }: RecordedItem): boolean {
  return isJson(geometry) && isJson(assets) && isJson(properties) && Object.keys(assets).length > 0;
}
