import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Collection } from "../api/types.ts";
import { useExplorer } from "../state/explorer.ts";
import { viewOfPreset } from "../view/change-view.ts";
import { isOffered, shownOf } from "../view/shown.ts";
import { CUSTOM } from "../view/view.ts";
import { collectionGroups } from "./collection-groups.ts";

/** Collections up to which all are seen at a glance. */
const FEW = 12;

const option = ({ id, title }: Collection): JSX.Element => (
  <option key={id} value={id}>
    {title ?? id}
  </option>
);

/** The collection that is shown: a few as they are, many in groups and to be searched. */
export function CollectionField(): JSX.Element {
  const { store, preset, knownPresets: presets, collections, collection } = useExplorer();
  const [text, setText] = useState("");
  const isMany = collections.length > FEW;
  const choose = (id: string): void => {
    const isKept = preset.value.id === CUSTOM || isOffered(preset.value, id);
    const shown = isKept ? { preset: preset.value } : shownOf(presets, collections, { collection: id });
    if (shown === undefined) return;
    const view = viewOfPreset(store.state, shown.preset, id, collections, Date.now());
    store.set("custom" in shown ? { ...view, custom: shown.custom } : view);
  };
  return (
    <div class="field">
      <label for="collection">Collection</label>
      {isMany && (
        <input
          type="search"
          aria-label="Find in the list"
          placeholder="Find in the list"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      <select
        id="collection"
        value={store.view.collection.value}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {isMany
          ? collectionGroups(collections, text, collection.value).map(([group, members]) => (
              <optgroup key={group} label={group}>
                {members.map(option)}
              </optgroup>
            ))
          : collections.map(option)}
      </select>
    </div>
  );
}
