import type { Extents } from "@swath/catalog/node";
import type { TileSetRequest } from "@swath/engine/node/images";
import { presetNamed } from "@swath/engine/search";
import type { CollectionRegistry } from "@swath/schema";
import type { Preset } from "@swath/schema/presets";
import { checkIsThere } from "./collections.ts";

/** Presets of the collections that are there; those of none of them are left out. */
export function presetsOf(presets: readonly Preset[], there: readonly { readonly id: string }[]): readonly Preset[] {
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
  const presets = presetsOf(registry.presets, await extents.there(registry.listed));
  const preset = what.preset === undefined ? presets[0] : presetNamed(what.preset, { presets });
  return named !== undefined || preset === undefined
    ? request
    : { ...request, when: { ...when, collections: [preset.collection] } };
}
