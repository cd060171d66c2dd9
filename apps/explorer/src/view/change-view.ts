import type { Collection, Preset } from "../api/types.ts";
import { hasClouds } from "./bands.ts";
import { isDateless, overlaps, presetDays } from "./days.ts";
import { isOffered } from "./shown.ts";
import { CUSTOM, type ViewState } from "./view.ts";

/**
 * Returns the change of the view that shows a preset: it is shown on the wanted collection, or on its own where it is not
 * offered on that one.
 *
 * @param now - milliseconds since 1970
 */
export function viewOfPreset(
  state: Pick<ViewState, "collection" | "from" | "to">,
  preset: Preset,
  wanted: string,
  collections: readonly Collection[],
  now: number,
): Partial<ViewState> {
  const id = preset.id === CUSTOM || isOffered(preset, wanted) ? wanted : preset.collection;
  const shown = collections.find((each) => each.id === id);
  const interval = shown?.extent.temporal.interval[0] ?? [];
  // another collection may have nothing at all in the days that are chosen
  const isElsewhere = id !== state.collection && !overlaps(state, interval) && !isDateless(state, preset, interval);
  return {
    preset: preset.id,
    ...(preset.id === CUSTOM ? {} : { custom: undefined }),
    collection: id,
    ...(isElsewhere ? presetDays(preset.defaultWindow, interval, now) : {}),
    ...(shown === undefined || hasClouds(shown) ? {} : { cloud: 100 }),
  };
}
