import type { JSX } from "preact";
import { useExplorer } from "../state/explorer.ts";

/** Shows that imagery is on its way: as a bar along the top of the map, and in words for those who do not see it. */
export function LoadingBar(): JSX.Element {
  const map = useExplorer().map.value;
  const isLoading = map === undefined || map.isLoading.value;
  return (
    <div class="loading" role="status" data-loading={isLoading ? "yes" : "no"}>
      {isLoading && <span class="hidden">Loading imagery …</span>}
    </div>
  );
}
