import type { JSX } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import type { Problem } from "../api/api-error.ts";
import { problemFrom } from "../api/problem-from.ts";
import { useExplorer } from "../state/explorer.ts";
import { ProblemCard } from "../ui/problem-card.tsx";
import { styleFields } from "../view/custom-preset.ts";
import { CUSTOM } from "../view/view.ts";
import { ColormapField } from "./colormap-field.tsx";
import { customOf } from "./custom-of.ts";

interface TextProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly onValue: (value: string) => void;
}

function Text({ id, label, value, placeholder, onValue }: TextProps): JSX.Element {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        type="text"
        id={id}
        value={value}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        maxlength={500}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </div>
  );
}

/** Draws bands or an expression of the user's own. The service says what is wrong with it before the map changes. */
export function CustomField(): JSX.Element {
  const { store, api } = useExplorer();
  const shown = store.view.custom.value;
  const [what, setWhat] = useState("");
  const [rescale, setRescale] = useState("");
  const [colormap, setColormap] = useState("");
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  // before the fields are seen: what is typed into them stays
  useLayoutEffect(() => {
    if (shown === undefined) return;
    setWhat(shown.expression ?? shown.bands ?? "");
    setRescale(shown.rescale ?? "");
    setColormap(shown.colormap ?? "");
  }, [shown]);
  const draw = async (): Promise<void> => {
    const wanted = customOf(what, rescale, colormap);
    const query = new URLSearchParams({ collection: store.state.collection, ...styleFields(CUSTOM, wanted) });
    try {
      await api.json(`v1/presets/${CUSTOM}/legend.json?${query}`, { need: "documents" });
      setProblem(undefined);
      store.set({ preset: CUSTOM, custom: wanted });
    } catch (error) {
      setProblem(problemFrom(error));
    }
  };
  return (
    <details class="settings own" open={shown !== undefined}>
      <summary>Own bands or expression</summary>
      <div class="settings-body">
        <Text
          id="custom-what"
          label="One band, three bands, or an expression"
          value={what}
          placeholder="(nir - red) / (nir + red)"
          onValue={setWhat}
        />
        <div class="grid-2">
          <Text
            id="custom-rescale"
            label="Shown values (empty: usual)"
            value={rescale}
            placeholder="0, 0.4"
            onValue={setRescale}
          />
          <ColormapField value={colormap} onValue={setColormap} />
        </div>
        {problem !== undefined && <ProblemCard problem={problem} />}
        <button type="button" class="wide" disabled={what.trim() === ""} onClick={() => void draw()}>
          Draw it
        </button>
      </div>
    </details>
  );
}
