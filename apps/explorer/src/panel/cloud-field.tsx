import type { JSX } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { useExplorer } from "../state/explorer.ts";
import { hasClouds } from "../view/bands.ts";

/** The ceiling of the scenes' cloud cover. The text follows the handle, the view its last position. */
export function CloudField(): JSX.Element {
  const { store, collection } = useExplorer();
  const cloud = store.view.cloud.value;
  const [at, setAt] = useState(cloud);
  // before the handle is seen: where it is moved it stays
  useLayoutEffect(() => setAt(cloud), [cloud]);
  return (
    <div class="field" hidden={!hasClouds(collection.value)}>
      <label for="cloud">
        Cloud cover <output for="cloud">{at === 100 ? "any" : `at most ${at} %`}</output>
      </label>
      <input
        type="range"
        id="cloud"
        min={0}
        max={100}
        step={5}
        aria-describedby="cloud-note"
        value={at}
        onInput={(event) => setAt(Number(event.currentTarget.value))}
        onChange={(event) => store.set({ cloud: Number(event.currentTarget.value) })}
      />
      <p class="quiet" id="cloud-note">
        For the list and downloads. The mosaic puts the least cloudy scene on top.
      </p>
    </div>
  );
}
