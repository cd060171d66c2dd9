import "../charts/charts.css";
import "./analysis.css";
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useExplorer } from "../state/explorer.ts";
import { useIsNarrow } from "../ui/use-is-narrow.ts";
import { analysisOf } from "./analysis.ts";
import { Results } from "./results/results.tsx";

/** The charts below the map, where there is space for them: on a phone they are in the panel. */
export function AnalysisDock(): JSX.Element | null {
  const explorer = useExplorer();
  const analysis = analysisOf(explorer);
  const isFolded = useSignal(false);
  const isNarrow = useIsNarrow();
  const answers = [...analysis.answers.value.values()];
  const isShown = !isNarrow && answers.some(({ state }) => state === "done" || state === "failed");
  const isOpen = isShown && !isFolded.value;
  // the map keeps its centre in what is left of it
  useEffect(() => explorer.map.peek()?.resize(), [isShown, isOpen, explorer]);
  if (!isShown) return null;
  const kind = analysis.asked.value?.question.kind === "statistics" ? "Statistics" : "Curve";
  const [place, ...others] = analysis.asked.value?.places ?? [];
  return (
    <section class={isOpen ? "dock" : "dock folded"} aria-label={kind}>
      <header>
        <h2>
          {kind}: {others.length === 0 ? place?.name : `${others.length + 1} fields`}
        </h2>
        <button
          type="button"
          class="small"
          aria-expanded={isOpen}
          onClick={() => {
            isFolded.value = !isFolded.value;
          }}
        >
          {isOpen ? "Fold" : "Unfold"}
        </button>
      </header>
      {isOpen && (
        <div class="dock-body">
          <Results analysis={analysis} />
        </div>
      )}
    </section>
  );
}
