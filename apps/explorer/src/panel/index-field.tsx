import type { JSX } from "preact";
import type { Preset } from "../api/types.ts";
import { useExplorer } from "../state/explorer.ts";
import { viewOfPreset } from "../view/change-view.ts";

/** Whether a preset has a button of its own; those made of the schema's indices are in a list. */
export function isCurated({ id }: Pick<Preset, "id">): boolean {
  return !id.startsWith("index-");
}

/** All indices of the schema, as presets. */
export function IndexField(): JSX.Element | null {
  const { store, presets, collections } = useExplorer();
  const indices = presets.filter((preset) => !isCurated(preset));
  if (indices.length === 0) return null;
  const chosen = store.view.preset.value;
  const choose = (id: string): void => {
    const preset = indices.find((each) => each.id === id);
    if (preset !== undefined)
      store.set(viewOfPreset(store.state, preset, store.state.collection, collections, Date.now()));
  };
  return (
    <div class="field inline">
      <label for="index">Index</label>
      <select
        id="index"
        value={indices.some(({ id }) => id === chosen) ? chosen : ""}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">Choose one of {indices.length}</option>
        {indices.map(({ id, title, description }) => (
          <option key={id} value={id} title={description}>
            {`${id.replace("index-", "").toUpperCase()}: ${title}`}
          </option>
        ))}
      </select>
    </div>
  );
}
