import type { Collection, Preset } from "../api/types.ts";
import { customPreset } from "./custom-preset.ts";
import { CUSTOM, type ViewState } from "./view.ts";

export function isOffered(preset: Preset | undefined, collection: string): boolean {
  return preset?.collections?.includes(collection) !== false && preset !== undefined;
}

/**
 * The preset and the collection that an address means: those it names, where the service has them and they go together;
 * where they do not, the collection stays, with the first preset that renders it.
 *
 * @returns `undefined` where the service has none.
 */
export function shownOf(
  presets: readonly Preset[],
  collections: readonly Collection[],
  wanted: Partial<Pick<ViewState, "preset" | "collection">>,
): { readonly preset: Preset; readonly collection: Collection } | undefined {
  if (wanted.preset === CUSTOM) {
    const own = collections.find(({ id }) => id === wanted.collection) ?? collections[0];
    return own === undefined ? undefined : { preset: customPreset(undefined, own), collection: own };
  }
  const named = presets.find(({ id }) => id === wanted.preset);
  const asked = collections.find(({ id }) => id === wanted.collection);
  const fitting =
    asked === undefined || isOffered(named, asked.id) ? named : presets.find((each) => isOffered(each, asked.id));
  const preset = fitting ?? named ?? presets[0];
  const collection =
    asked !== undefined && isOffered(preset, asked.id)
      ? asked
      : (collections.find(({ id }) => id === preset?.collection) ?? collections[0]);
  return preset === undefined || collection === undefined ? undefined : { preset, collection };
}
