import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Problem } from "../api/api-error.ts";
import { problemFrom } from "../api/problem-from.ts";
import type { Schemas } from "../api/types.ts";
import { useExplorer } from "../state/explorer.ts";
import { ProblemCard } from "../ui/problem-card.tsx";
import { CUSTOM } from "../view/view.ts";
import { canStretch, stretched, stretchRequest } from "./stretch-request.ts";

const NO_VALUES: Problem = {
  title: "No values to stretch",
  detail: "The view holds no values that differ. Move the map, or choose other dates.",
};

/** Stretches the colours over the values in view, from their 2nd to their 98th percentile. */
export function Stretch(): JSX.Element | null {
  const { api, asked, store, preset, map } = useExplorer();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const shown = preset.value;
  const bbox = map.value?.bbox;
  if (!canStretch(shown) || bbox === undefined) return null;
  const stretch = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    const recipe = shown["svc:recipes"]?.[store.state.collection];
    const colormap = store.state.custom?.colormap ?? recipe?.colormap ?? shown.colormap;
    try {
      const response = await api.post("v1/statistics", stretchRequest(shown, asked.peek(), bbox.peek()));
      const custom = stretched(shown, colormap, (await response.json()) as Schemas["Statistics"]);
      if (custom === undefined) setProblem(NO_VALUES);
      else store.set({ preset: CUSTOM, custom });
    } catch (error) {
      setProblem(problemFrom(error));
    }
    setBusy(false);
  };
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void stretch()}>
        {isBusy ? "Measuring …" : "Stretch to what is in view (2 to 98 %)"}
      </button>
      {problem !== undefined && <ProblemCard problem={problem} />}
    </>
  );
}
