import type { Collection, Preset } from "../api/types.ts";
import { isDateless, presetDays } from "./days.ts";
import { isOffered } from "./shown.ts";
import { CUSTOM, type ViewState } from "./view.ts";

/** The image at the right of the border. */
export interface RightSide {
  /** The view as it were if the right image were the only one. */
  readonly view: ViewState;
  readonly preset: Preset;
  readonly collection: Collection;
  /** Whether the days that are chosen say nothing about it, as with elevation. */
  readonly isDateless: boolean;
}

interface LeftSide {
  readonly preset: Preset;
  readonly collection: Collection;
  readonly presets: readonly Preset[];
  readonly collections: readonly Collection[];
}

/**
 * The image that the view is compared with: that of the days at the right, in the view's preset and collection or in
 * those that the right has of its own.
 *
 * @param now - milliseconds since 1970
 * @returns undefined where nothing is compared
 */
export function rightSide(view: ViewState, left: LeftSide, now: number): RightSide | undefined {
  const { right, rightPreset } = view;
  if (right === undefined) return undefined;
  const preset = left.presets.find(({ id }) => id === rightPreset) ?? left.preset;
  const collection =
    preset.id === left.preset.id || isOffered(preset, left.collection.id)
      ? left.collection
      : (left.collections.find(({ id }) => id === preset.collection) ?? left.collection);
  const interval = collection.extent.temporal.interval[0] ?? [];
  const dateless = isDateless(right, preset, interval);
  const { from, to } = dateless ? presetDays(undefined, interval, now) : right;
  return {
    preset,
    collection,
    isDateless: dateless,
    view: {
      ...view,
      preset: preset.id,
      collection: collection.id,
      custom: preset.id === CUSTOM ? view.custom : undefined,
      scene: undefined,
      from,
      to,
    },
  };
}

/** `NDVI, 2023-05-06 to 2023-05-16`. */
export function sideText(preset: Pick<Preset, "title">, days: { from: string; to: string } | undefined): string {
  if (days === undefined) return preset.title;
  return `${preset.title}, ${days.from === days.to ? days.from : `${days.from} to ${days.to}`}`;
}

/** The same day of the year before; 28 February for the 29th. */
export function yearBefore(day: string): string {
  const year = String(Number(day.slice(0, 4)) - 1).padStart(4, "0");
  return `${year}${day.slice(4) === "-02-29" ? "-02-28" : day.slice(4)}`;
}
