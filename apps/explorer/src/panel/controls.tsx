import type { JSX } from "preact";
import { useExplorer } from "../state/explorer.ts";
import { viewOfPreset } from "../view/change-view.ts";
import { CloudField } from "./cloud-field.tsx";
import { CollectionField } from "./collection-field.tsx";
import { CustomField } from "./custom-field.tsx";
import { DatesField } from "./dates-field.tsx";
import { IndexField, isCurated } from "./index-field.tsx";

function Presets(): JSX.Element {
  const { store, presets, collections } = useExplorer();
  const chosen = store.view.preset.value;
  return (
    <fieldset class="segments">
      <legend class="hidden">Preset</legend>
      {presets.filter(isCurated).map((preset) => (
        <label key={preset.id} title={preset.description}>
          <input
            type="radio"
            name="preset"
            value={preset.id}
            checked={preset.id === chosen}
            onChange={() =>
              store.set(viewOfPreset(store.state, preset, store.state.collection, collections, Date.now()))
            }
          />
          <span>{preset.title}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Summary(): JSX.Element {
  const { store, collection } = useExplorer();
  const { from, to, cloud } = store.view;
  const days = from.value === to.value ? from.value : `${from.value} to ${to.value}`;
  const clouds = cloud.value === 100 ? "" : `, cloud at most ${cloud.value} %`;
  return <span class="settings-line">{`${collection.value.title ?? collection.value.id}, ${days}${clouds}`}</span>;
}

/** Controls of the map's image: preset, collection, dates, largest cloud cover. */
export function Controls(): JSX.Element {
  return (
    <form class="controls" onSubmit={(event) => event.preventDefault()}>
      <Presets />
      <IndexField />
      <CustomField />
      {/* on a phone the map and the list need the space */}
      <details class="settings" open={!matchMedia("(max-width: 46rem)").matches}>
        <summary>
          <Summary />
        </summary>
        <div class="settings-body">
          <CollectionField />
          <DatesField />
          <CloudField />
        </div>
      </details>
    </form>
  );
}
