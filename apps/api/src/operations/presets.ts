import type { Extents } from "@swath/catalog/node";
import type { TileSetRequest } from "@swath/engine/node/images";
import { presetNamed } from "@swath/engine/search";
import type { CollectionRegistry } from "@swath/schema";
import type { Preset } from "@swath/schema/presets";
import { checkIsThere } from "./collections.ts";

/** Presets of the collections that are there; those of none of them are left out. */
function presetsOf(presets: readonly Preset[], there: readonly { readonly id: string }[]): readonly Preset[] {
  const ids = there.map(({ id }) => id);
  return presets.flatMap((preset) => {
    const collections = (preset.collections ?? []).filter((id) => ids.includes(id));
    const [first] = collections;
    if (first === undefined) return [];
    const recipes = Object.entries(preset["svc:recipes"] ?? {}).filter(([id]) => ids.includes(id));
    return {
      ...preset,
      collection: collections.includes(preset.collection) ? preset.collection : first,
      collections,
      "svc:recipes": Object.fromEntries(recipes),
    };
  });
}

/** A page of the presets of the collections that are there: those that are listed first, or the further ones. */
export async function presetsThere(
  { registry, extents }: { readonly registry: CollectionRegistry; readonly extents: Extents },
  isFurther = false,
): Promise<{ readonly presets: readonly Preset[]; readonly hasNext: boolean }> {
  const there = await extents.there(registry.listed);
  if (isFurther) return { presets: presetsOf(registry.furtherPresets, there), hasNext: false };
  return {
    presets: presetsOf(registry.presets, there),
    hasNext: registry.furtherPresets.some((preset) => presetsOf([preset], there).length > 0),
  };
}

/**
 * The preset of an id, of the collections that are there.
 *
 * @throws {Refusal} `not-found` for an unknown id, and for a preset of none of these collections.
 */
export async function presetThere(
  { registry, extents }: { readonly registry: CollectionRegistry; readonly extents: Extents },
  id: string,
): Promise<Preset> {
  const there = await extents.there(registry.listed);
  return presetNamed(id, {
    get presets() {
      return presetsOf(registry.presets, there);
    },
    get furtherPresets() {
      return presetsOf(registry.furtherPresets, there);
    },
    findPreset: (each) => {
      const preset = registry.findPreset(each);
      return preset === undefined ? undefined : presetsOf([preset], there)[0];
    },
  });
}

/**
 * Returns a request for tiles with the collection that it means: where it names none, the preset's own, or the first that the upstream
 * has.
 *
 * @throws {ProblemError} `not-found` for a collection that the upstream lacked when it was last asked.
 * @throws {Refusal} `not-found` for a preset of none of the collections that are there.
 */
export async function withCollection(
  { registry, extents }: { readonly registry: CollectionRegistry; readonly extents: Extents },
  request: TileSetRequest,
): Promise<TileSetRequest> {
  const { when, what } = request;
  const named = when.collections?.[0];
  const known = named === undefined ? undefined : registry.find(named);
  if (known !== undefined) await checkIsThere({ registry, extents }, known.collection);
  const preset =
    what.preset === undefined
      ? presetsOf(registry.presets, await extents.there(registry.listed))[0]
      : await presetThere({ registry, extents }, what.preset);
  return named !== undefined || preset === undefined
    ? request
    : { ...request, when: { ...when, collections: [preset.collection] } };
}
