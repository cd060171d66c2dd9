import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Item } from "../api/types.ts";
import { useExplorer } from "../state/explorer.ts";
import { daysAround, nearestScene } from "./nearest.ts";

/** The scene nearest in time to the days of the view, where the service has one here. */
function useNearest(): Item | undefined {
  const { api, asked, map } = useExplorer();
  const { collection, from, to, cloud } = asked.value;
  const bbox = map.value?.bbox.value;
  const [nearest, setNearest] = useState<Item | undefined>(undefined);
  useEffect(() => {
    setNearest(undefined);
    if (bbox === undefined) return undefined;
    const abort = new AbortController();
    nearestScene(api, { collection, from, to, cloud }, bbox, abort.signal).then(setNearest, () => {
      // an offer: without it the list is empty all the same
    });
    return () => abort.abort();
  }, [api, collection, from, to, cloud, bbox]);
  return nearest;
}

/** Offers what can be done where there are no scenes: other days, more cloud, another part of the map. */
export function NoScenes(): JSX.Element {
  const { store, collection } = useExplorer();
  const nearest = useNearest();
  const cloud = store.view.cloud.value;
  const day = nearest?.properties.datetime.slice(0, 10);
  return (
    <>
      <div class="row wrap">
        {nearest !== undefined && (
          <button type="button" class="small" onClick={() => store.set(daysAround(nearest, store.state))}>
            Show {day}, the nearest day with a scene
          </button>
        )}
        {cloud < 100 && (
          <button type="button" class="small" onClick={() => store.set({ cloud: 100 })}>
            Allow more cloud than {cloud} %
          </button>
        )}
      </div>
      <p class="quiet">
        Try other dates{cloud < 100 ? ", more cloud" : ""}, or another part of the map.
        {nearest === undefined && ` ${collection.value.title ?? collection.value.id} may have nothing here.`}
      </p>
    </>
  );
}
