import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { problemFrom } from "../api/problem-from.ts";
import type { Preset } from "../api/types.ts";
import { useExplorer } from "../state/explorer.ts";
import { viewOfPreset } from "../view/change-view.ts";

/** Whether a preset has a button of its own; those made of the schema's indices are in a list. */
export function isCurated({ id }: Pick<Preset, "id">): boolean {
  return !id.startsWith("index-");
}

const nameOf = ({ id }: Preset): string => id.replace("index-", "").toUpperCase();

const option = (preset: Preset): JSX.Element => (
  <option key={preset.id} value={preset.id} title={preset.description}>
    {`${nameOf(preset)}: ${preset.title}`}
  </option>
);

/** The indices whose names or titles have all words of a text. */
function found(indices: readonly Preset[], text: string): readonly Preset[] {
  const words = text.toLowerCase().split(/\s+/);
  return indices.filter((preset) =>
    words.every((word) => `${nameOf(preset)} ${preset.title}`.toLowerCase().includes(word)),
  );
}

/** Finds indices by words of their names; the list of all is read when it is opened. */
function Search({ onText }: { readonly onText: (text: string) => void }): JSX.Element {
  const { further, notices } = useExplorer();
  const read = (): void => {
    further.load().catch((error: unknown) => notices.report(problemFrom(error), read));
  };
  return (
    <details
      class="settings own"
      onToggle={(event) => {
        if (event.currentTarget.open) read();
        else onText("");
      }}
    >
      <summary>More indices</summary>
      <div class="settings-body">
        <input
          type="search"
          aria-label="Find an index"
          placeholder="GEMI, or chlorophyll"
          onInput={(event) => onText(event.currentTarget.value.trim())}
        />
      </div>
    </details>
  );
}

/** Indices of the schema, as presets: the usual ones, or those that are searched. */
export function IndexField(): JSX.Element | null {
  const { store, presets, knownPresets, further, collections } = useExplorer();
  const [text, setText] = useState("");
  const usual = presets.filter((preset) => !isCurated(preset));
  if (usual.length === 0) return null;
  const chosen = store.view.preset.value;
  const choose = (id: string): void => {
    const preset = knownPresets.find((each) => each.id === id);
    if (preset !== undefined)
      store.set(viewOfPreset(store.state, preset, store.state.collection, collections, Date.now()));
  };
  const all = [...usual, ...further.known.value];
  const matching = text === "" ? usual : found(all, text);
  // what is shown stays in the list
  const shown = matching.some(({ id }) => id === chosen) ? [] : all.filter(({ id }) => id === chosen);
  const options = [...shown, ...matching];
  return (
    <>
      <div class="field inline">
        <label for="index">Index</label>
        <select
          id="index"
          value={options.some(({ id }) => id === chosen) ? chosen : ""}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">Choose one of {matching.length}</option>
          {options.map(option)}
        </select>
      </div>
      {further.areThere && <Search onText={setText} />}
    </>
  );
}
