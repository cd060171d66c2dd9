import type { Collection, Preset } from "../api/types.ts";
import { measuredBands } from "./bands.ts";
import { customPreset } from "./custom-preset.ts";
import { CUSTOM, type Custom, type ViewState } from "./view.ts";

export function isOffered(preset: Preset | undefined, collection: string): boolean {
  return preset?.collections?.includes(collection) !== false && preset !== undefined;
}

/** The presets of indices that a view names and that are not known yet. */
export function unknownPresets(
  known: readonly Preset[],
  { preset, rightPreset }: Partial<Pick<ViewState, "preset" | "rightPreset">>,
): readonly string[] {
  const named = new Set([preset, rightPreset].filter((id) => id !== undefined));
  return [...named].filter((id) => id.startsWith("index-") && !known.some((each) => each.id === id));
}

/** The first band of a collection, which is drawn where no preset renders it. */
function firstBand(collection: Collection): Custom {
  const [band] = [...measuredBands(collection), ...(collection.bands ?? [])];
  return { bands: band?.name ?? "" };
}

/** The end of a collection's time; of one that goes on, or has no items, the empty text. */
function endOf({ extent }: Collection): string {
  return extent.temporal.interval[0]?.[1] ?? "";
}

/** The collection that is shown first: that of the first preset, or the first one where its data are newer. */
function openingCollection(presets: readonly Preset[], collections: readonly Collection[]): Collection | undefined {
  const [first] = collections;
  const usual = collections.find(({ id }) => id === presets[0]?.collection);
  if (first === undefined || usual === undefined || endOf(usual) === "") return undefined;
  return endOf(first) > endOf(usual) ? first : undefined;
}

/** The image of a view. */
interface Shown {
  readonly preset: Preset;
  readonly collection: Collection;
  /** The bands or the expression of the preset `custom`; absent with others. */
  readonly custom?: Custom | undefined;
}

/**
 * The preset and the collection that an address means: those it names, where the service has them and they go together;
 * where they do not, the collection stays, with the first preset that renders it, or else its first band. Of an address that
 * names neither, the newest data of what is listed first are shown.
 *
 * @returns `undefined` where the service has no collections.
 */
export function shownOf(
  presets: readonly Preset[],
  collections: readonly Collection[],
  wanted: Partial<Pick<ViewState, "preset" | "collection" | "custom">>,
): Shown | undefined {
  const isOpen = wanted.preset === undefined && wanted.collection === undefined;
  const asked = isOpen
    ? openingCollection(presets, collections)
    : collections.find(({ id }) => id === wanted.collection);
  const customOf = (collection: Collection | undefined): Shown | undefined => {
    if (collection === undefined) return undefined;
    const custom = (wanted.preset === CUSTOM ? wanted.custom : undefined) ?? firstBand(collection);
    return { preset: customPreset(custom, collection), collection, custom };
  };
  if (wanted.preset === CUSTOM) return customOf(asked ?? collections[0]);
  const named = presets.find(({ id }) => id === wanted.preset);
  const preset =
    asked === undefined
      ? (named ?? presets[0])
      : isOffered(named, asked.id)
        ? named
        : presets.find((each) => isOffered(each, asked.id));
  const collection = asked ?? collections.find(({ id }) => id === preset?.collection) ?? collections[0];
  if (preset === undefined || collection === undefined) return customOf(collection);
  return { preset, collection };
}
