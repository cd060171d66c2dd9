import "./border.css";
import { computed, effect, useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { problemFrom } from "../api/problem-from.ts";
import { imageryOf } from "../map/imagery-of.ts";
import type { MapPort } from "../map/port.ts";
import { type Explorer, useExplorer } from "../state/explorer.ts";
import { MIDDLE } from "../view/compare-view.ts";
import { sideText } from "../view/right-side.ts";
import { Border } from "./border.tsx";

/** The address of the right image; undefined where there is none. */
function rightImagery({ api, right }: Explorer): string | undefined {
  const side = right.value;
  if (side === undefined) return undefined;
  return JSON.stringify(imageryOf(api.base.href, side.view, side.preset, side.collection, undefined));
}

/**
 * Draws the right image over the map, as long as there is one.
 *
 * @param onLoading - called with whether it is on its way
 * @returns a function that ends it
 */
async function drawRight(
  explorer: Explorer,
  { native }: MapPort,
  onLoading: (isLoading: boolean) => void,
): Promise<() => void> {
  const { coverMap } = await import("../map/maplibre/second-map.ts");
  const map = coverMap({
    first: native,
    keeps: () => true,
    onProblem: (problem) => explorer.notices.report(problem),
  });
  // what does not change the address does not draw the map anew
  const wanted = computed(() => rightImagery(explorer));
  const ends = [
    effect(() => {
      void explorer.redraws.value;
      if (explorer.canSee.value && wanted.value !== undefined) map.show(JSON.parse(wanted.value));
    }),
    effect(() => onLoading(map.isLoading.value)),
  ];
  return () => {
    for (const end of ends) end();
    map.remove();
  };
}

/** The name of the left image: of the mosaic's days, or of the day of the scene that is shown alone. */
function leftText({ drawn, preset, shown, isDateless }: Explorer): string {
  const { scene, from, to } = drawn.value;
  const day = shown.value?.properties.datetime.slice(0, 10);
  if (scene !== undefined && day !== undefined) return sideText(preset.value, { from: day, to: day });
  return sideText(preset.value, isDateless.value ? undefined : { from, to });
}

/** The image that the view is compared with, and the border between both. */
export function Swipe(): JSX.Element | null {
  const explorer = useExplorer();
  const { store, map, right, notices } = explorer;
  const isLoading = useSignal(true);
  const left = useComputed(() => leftText(explorer)).value;
  const at = store.view.swipe.value ?? MIDDLE;
  const port = map.value;
  useEffect(() => {
    if (port === undefined) return undefined;
    const opening = drawRight(explorer, port, (is) => {
      isLoading.value = is;
    });
    opening.catch((error: unknown) => notices.report(problemFrom(error)));
    return () =>
      void opening.then(
        (end) => end(),
        () => {
          // it has been said
        },
      );
  }, [explorer, port]);
  const side = right.value;
  if (side === undefined) return null;
  const other = sideText(side.preset, side.isDateless ? undefined : side.view);
  return (
    <Border at={at} left={left} right={other} isLoading={isLoading.value} onMove={(swipe) => store.set({ swipe })} />
  );
}
