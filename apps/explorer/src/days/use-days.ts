import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Problem } from "../api/api-error.ts";
import { problemFrom } from "../api/problem-from.ts";
import { useExplorer } from "../state/explorer.ts";
import { type DaysFound, searchDays } from "./search-days.ts";

/** Time without changes after which days are searched, milliseconds. */
const SEARCH_MS = 300;

export interface DaysInView {
  readonly found: DaysFound | undefined;
  readonly problem: Problem | undefined;
  readonly isBusy: boolean;
}

/**
 * The days from one to another that have scenes in view, searched again when they, the collection or the view changes.
 *
 * @param collection - whose scenes; absent: the collection of the view
 */
export function useDays(
  { from, to }: { readonly from: string; readonly to: string },
  isActive: boolean,
  collection?: string,
): DaysInView {
  const { api, store, map } = useExplorer();
  const found = useSignal<DaysFound | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const isBusy = useSignal(false);
  const bbox = map.value?.bbox.value;
  const asked = { collection: collection ?? store.view.collection.value, from, to };
  const key = JSON.stringify([asked, bbox]);
  useEffect(() => {
    if (!isActive || bbox === undefined) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      isBusy.value = true;
      try {
        found.value = await searchDays(api, { ...asked, bbox }, abort.signal);
        problem.value = undefined;
      } catch (error) {
        if (!abort.signal.aborted) problem.value = problemFrom(error);
      }
      if (!abort.signal.aborted) isBusy.value = false;
    }, SEARCH_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, isActive]);
  return { found: found.value, problem: problem.value, isBusy: isBusy.value };
}
