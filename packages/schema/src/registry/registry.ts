import { type CollectionSchema, toCollection } from "../collection/collection.ts";
import { masksBySource } from "../collection/mask.ts";
import { upstreamNames } from "../collection/upstream-collections.ts";
import { toVirtualCollection } from "../collection/virtual.ts";
import { schemaDataOf } from "../document/document.ts";
import type { SchemaDocument } from "../document/document-model.ts";
import { SchemaError } from "../errors.ts";
import { type AnyCollectionFile, type CollectionFile, isVirtualFile } from "../file/collection-file.ts";
import type { MaskFile } from "../file/mask-file.ts";
import { patternOf } from "../file/patterns.ts";
import type { BucketFile, ServerFile } from "../file/storage-file.ts";
import type { VirtualCollectionFile } from "../file/virtual-file.ts";
import type { Preset, PresetFile, Recipe } from "../preset/preset.ts";
import { suggest } from "../suggest.ts";
import { PRESET_FILES } from "./generated.ts";
import { toPresets } from "./presets.ts";
import { type QueryableSchema, queryablesOf, sortFieldsOf } from "./queryables.ts";
import { type CollectionMatch, checkFacts, namesOf } from "./registry-names.ts";

/** The collections and presets of a service. Immutable. */
export interface CollectionRegistry {
  /** The collections that have items of their own, in the order they are listed. */
  readonly collections: readonly CollectionSchema[];
  /** Collections of the items of others, of which at least one is there. */
  readonly virtual: readonly CollectionSchema[];
  /** `collections`, then `virtual`. */
  readonly listed: readonly CollectionSchema[];
  /** Ids of `collections`: what a search without collections is about. */
  readonly ids: readonly string[];
  /** Every id and alias. */
  readonly names: readonly string[];
  /** The collection with this id or alias, letter case included; `undefined` when there is none. */
  find(idOrAlias: string): CollectionMatch | undefined;
  /** @throws {SchemaError} `unknown-collection`. */
  resolve(idOrAlias: string): CollectionSchema;
  /**
   * Collections whose items an upstream keeps in this collection of its own, or under one of its other ids or aliases;
   * several where the upstream's collection is divided by platform. Without `name`: of any upstream.
   */
  findByUpstream(collection: string, name?: string): readonly CollectionSchema[];
  /** Collections that an item may belong to by its id, for items that name no collection. */
  findByItemId(id: string, name?: string): readonly CollectionSchema[];
  /** Presets that a collection has a recipe for and that are listed first; `collections` are those that have one. */
  readonly presets: readonly Preset[];
  /** Presets that are listed after them. */
  readonly furtherPresets: readonly Preset[];
  /** One of `presets` or `furtherPresets`. */
  findPreset(id: string): Preset | undefined;
  /** @throws {SchemaError} `unknown-preset`. */
  resolvePreset(id: string): Preset;
  /** Returns the rendering of a preset from a collection; `undefined` where it is not offered. */
  recipeOf(preset: string, collection: string): Recipe | undefined;
  /** Queryables that these collections (default all) add, a virtual one those of its members. Unknown ids add nothing. */
  queryables(collections?: readonly string[]): Readonly<Record<string, QueryableSchema>>;
  /** Fields that these collections (default all) add to what searches can be sorted by. */
  sortFields(collections?: readonly string[]): readonly string[];
  /** Hosts and buckets that files of the collections may be read from, in the notation of `StorageFile.hosts`. */
  readonly assetHosts: readonly string[];
  /** Facts about buckets and https hosts of files, of all collections. */
  readonly storage: { readonly buckets: readonly BucketFile[]; readonly servers: readonly ServerFile[] };
  /** Facts about an S3 bucket: by its name, else by the longest `name-*` that it begins with. */
  bucket(name: string): BucketFile | undefined;
  /** The mask of this source name. */
  mask(source: string): MaskFile | undefined;
  /** The schema document's data: a new object each time. */
  schemaData(): SchemaDocument;
  /** The bytes of `GET /v1/schema` as text. */
  schemaDocument(): string;
  /**
   * The registry of the collections whose upstream has one of these names: those that are live where only they are. A
   * collection whose own upstream is not among them comes from the first of its alternatives that is.
   *
   * @param alternatives the names that alternatives may have; default none.
   */
  withUpstreams(names: readonly string[], alternatives?: readonly string[]): CollectionRegistry;
}

/**
 * A registry of collections.
 *
 * @param files valid files, in the order to list them; see `parseCollectionFile`.
 * @param presetFiles the presets that recipes may name; by default the built-in ones.
 * @throws {SchemaError} `duplicate-name` where two collections share an id or alias, `unknown-preset` for a recipe of
 *   none of the presets, `conflicting-fact` where collections disagree on a queryable, a mask source or a bucket.
 */
export function createRegistry(
  files: readonly AnyCollectionFile[],
  presetFiles: readonly PresetFile[] = PRESET_FILES,
): CollectionRegistry {
  const isReal = (file: AnyCollectionFile): file is CollectionFile => !isVirtualFile(file);
  return registryOf(files.filter(isReal).map(toCollection), files.filter(isVirtualFile), presetFiles);
}

function registryOf(
  collections: readonly CollectionSchema[],
  virtualFiles: readonly VirtualCollectionFile[],
  presetFiles: readonly PresetFile[],
): CollectionRegistry {
  const virtual = virtualFiles.flatMap((file) => toVirtualCollection(file, collections) ?? []);
  const listed = [...collections, ...virtual];
  const byName = namesOf(listed);
  checkFacts(collections);
  const { presets, further, find: findPreset } = toPresets(presetFiles, listed);
  const names = [...byName.keys()];
  const buckets = uniqueBy(
    collections.flatMap(({ storage }) => storage.buckets),
    ({ name }) => name,
  );
  const servers = uniqueBy(
    collections.flatMap(({ storage }) => storage.servers ?? []),
    ({ host }) => host,
  );
  const masks = masksBySource(collections.map(({ mask }) => mask));
  const named = (ids: readonly string[] | undefined): readonly CollectionSchema[] =>
    ids === undefined ? collections : collections.filter(({ id }) => withMembers(ids).includes(id));
  const withMembers = (ids: readonly string[]): readonly string[] => [
    ...ids,
    ...virtual.flatMap((each) => (ids.includes(each.id) ? (each.virtual?.members ?? []) : [])).map(({ id }) => id),
  ];
  const at = (name: string | undefined): readonly CollectionSchema[] =>
    name === undefined ? collections : collections.filter(({ upstream }) => upstream.name === name);
  const registry: CollectionRegistry = {
    collections,
    virtual,
    listed,
    ids: collections.map(({ id }) => id),
    names,
    find: (idOrAlias) => byName.get(idOrAlias),
    resolve(idOrAlias) {
      const match = byName.get(idOrAlias);
      if (match !== undefined) return match.collection;
      const message = `No collection or alias is called "${idOrAlias}".`;
      throw new SchemaError("unknown-collection", idOrAlias, message, suggest(idOrAlias, names));
    },
    findByUpstream(collection, name) {
      const own = at(name).filter(({ upstream }) => upstreamNames(upstream).includes(collection));
      if (own.length > 0) return own;
      return at(name).filter(
        ({ upstream, id }) =>
          upstream.otherCollections?.includes(collection) === true || byName.get(collection)?.collection.id === id,
      );
    },
    findByItemId: (itemId, name) =>
      at(name).filter(({ upstream }) => (upstream.idPatterns ?? []).some((pattern) => patternOf(pattern).test(itemId))),
    presets,
    get furtherPresets() {
      return further();
    },
    findPreset,
    resolvePreset(id) {
      const preset = findPreset(id);
      if (preset !== undefined) return preset;
      const ids = [...presets, ...further()].map((each) => each.id);
      throw new SchemaError("unknown-preset", id, `No preset is called "${id}".`, suggest(id, ids));
    },
    recipeOf: (preset, collection) => {
      const recipes = findPreset(preset)?.["svc:recipes"] ?? {};
      const id = byName.get(collection)?.collection.id ?? "";
      return Object.hasOwn(recipes, id) ? recipes[id] : undefined;
    },
    queryables: (ids) => queryablesOf(named(ids)),
    sortFields: (ids) => sortFieldsOf(named(ids)),
    assetHosts: [...new Set(collections.flatMap(({ storage }) => storage.hosts))],
    storage: { buckets: [...buckets.values()], servers: [...servers.values()] },
    bucket: (name) => buckets.get(name) ?? bucketByPrefix([...buckets.values()], name),
    mask: (source) => masks.get(source),
    schemaData: () => schemaDataOf(listed),
    schemaDocument: () => `${JSON.stringify(schemaDataOf(listed), null, 2)}\n`,
    withUpstreams: (upstreams, alternatives = []) =>
      registryOf(
        collections.flatMap((collection) => atUpstream(collection, upstreams, alternatives) ?? []),
        virtualFiles,
        presetFiles,
      ),
  };
  return registry;
}

/** The collection as one of these upstreams has it; `undefined` where none of them does. */
function atUpstream(
  collection: CollectionSchema,
  names: readonly string[],
  others: readonly string[],
): CollectionSchema | undefined {
  const { alternatives = [], ...first } = collection.upstream;
  if (names.includes(first.name)) return { ...collection, upstream: first };
  const other = alternatives.find(({ name }) => others.includes(name));
  if (other === undefined) return undefined;
  // names and gaps are those of the first upstream
  const { furtherCollections: _, otherNames: _names, fallbacks: _fallbacks, ...shared } = first;
  return { ...collection, upstream: { ...shared, ...other } };
}

function uniqueBy<T>(entries: readonly T[], keyOf: (entry: T) => string): ReadonlyMap<string, T> {
  return new Map(entries.map((entry) => [keyOf(entry), entry]));
}

function bucketByPrefix(buckets: readonly BucketFile[], name: string): BucketFile | undefined {
  return buckets
    .filter((bucket) => bucket.name.endsWith("*") && name.startsWith(bucket.name.slice(0, -1)))
    .sort((a, b) => b.name.length - a.name.length)[0];
}
