import "../charts/charts.css";
import "./analysis.css";
import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isOnThisMachine, pageOf } from "../api/service-address.ts";
import { themeOf } from "../charts/theme.ts";
import { PrintedKey } from "../key/printed-key.tsx";
import { type Explorer, useExplorer } from "../state/explorer.ts";
import type { ToolProps } from "../tool.ts";
import { debounced } from "../ui/debounced.ts";
import { ProblemCard } from "../ui/problem-card.tsx";
import { useIsNarrow } from "../ui/use-is-narrow.ts";
import { rememberView } from "../view/remembered-view.ts";
import { type Analysis, analysisOf } from "./analysis.ts";
import type { Question } from "./ask.ts";
import { Options } from "./options.tsx";
import { FIELD_LAYERS, showFields } from "./places/overlay.ts";
import { PlacePicker } from "./places/place-picker.tsx";
import { Progress } from "./progress.tsx";
import { Results } from "./results/results.tsx";

/** Time without changes after which one place is asked about, milliseconds. */
const ASK_MS = 300;

/** Draws the places on the map, in the colors of their curves, while the tool is shown. */
function usePlacesOnMap(explorer: Explorer, analysis: Analysis, isActive: boolean): void {
  const port = explorer.map.value;
  const places = analysis.places.value;
  const chosen = analysis.chosen.value;
  useEffect(() => {
    if (!isActive || port === undefined) return undefined;
    const overlay = port.overlay("analysis", FIELD_LAYERS);
    // the drawn area is on the map already
    const shown = places.filter(({ id, geometry }) => id !== "place" || geometry.type === "Point");
    showFields(overlay, shown, themeOf(document.body).marks, chosen);
    return () => overlay.remove();
  }, [port, places, chosen, isActive]);
}

/** Asks about one place whenever it or the question changes; files are asked about by a button. */
function useAsking(explorer: Explorer, analysis: Analysis, isActive: boolean): void {
  const active = useRef(isActive);
  active.current = isActive;
  const last = useRef<string | undefined>(undefined);
  const ask = useRef(debounced(ASK_MS, () => void analysis.ask()));
  useSignalEffect(() => {
    const [place, ...others] = analysis.places.value;
    const question = analysis.question.value;
    const hasKey = analysis.hasKey.value;
    void explorer.store.view.tab.value;
    if (place === undefined) analysis.clear();
    if (place === undefined || others.length > 0 || analysis.file.value !== undefined) {
      last.current = undefined;
      return;
    }
    const key = JSON.stringify([place.geometry, question, hasKey]);
    const isShown = explorer.store.view.tab.value === "analysis";
    if (question === undefined || !hasKey || !isShown || key === last.current) return;
    last.current = key;
    ask.current();
  });
}

function Kinds({ value }: { readonly value: Question["kind"] }): JSX.Element {
  const { store } = useExplorer();
  const kinds = { series: "Curve", statistics: "Statistics" } as const;
  return (
    <fieldset class="segments">
      <legend class="hidden">What to ask</legend>
      {(["series", "statistics"] as const).map((kind) => (
        <label key={kind}>
          <input
            type="radio"
            name="analysis-kind"
            value={kind}
            checked={value === kind}
            onChange={() => store.set({ numbers: kind })}
          />
          <span>{kinds[kind]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The button that asks about all fields of a file, and the one for what was not answered. */
function AskFields({ analysis }: { readonly analysis: Analysis }): JSX.Element {
  const places = analysis.places.value;
  const answers = analysis.answers.value;
  const kind = analysis.question.value?.kind ?? "series";
  const isAsked = JSON.stringify(analysis.asked.value?.question) === JSON.stringify(analysis.question.value);
  const done = places.filter(({ id }) => answers.get(id)?.state === "done").length;
  const what = kind === "series" ? "curve" : "statistics";
  const left = places.length - done;
  const some = isAsked && done > 0 && left > 0;
  return (
    <div class="row wrap">
      <button
        type="button"
        class="primary"
        disabled={analysis.question.value === undefined}
        onClick={() => void analysis.ask({ missing: some })}
      >
        {some
          ? `Ask for the ${left} that are missing`
          : `Ask for ${places.length === 1 ? `the ${what}` : `${places.length} ${kind === "series" ? "curves" : "statistics"}`}`}
      </button>
      {!isAsked && analysis.asked.value !== undefined && (
        <p class="quiet">The answers below are to the question before.</p>
      )}
    </div>
  );
}

/** Says that numbers need a key, and what does not. */
function NeedsKey(): JSX.Element {
  const explorer = useExplorer();
  return (
    <div class="needs-key" role="note">
      <p>
        Curves and statistics read many scenes: they need a key or a session. Search, the calendar and measuring are
        free for everybody. {isOnThisMachine(explorer.api.base) && <PrintedKey />}
      </p>
      <button type="button" class="small" onClick={() => void explorer.useKey()}>
        Use a key
      </button>
      {explorer.hasAccounts && (
        <a href={pageOf(explorer.api.base, "account")} onClick={rememberView}>
          Make a key
        </a>
      )}
    </div>
  );
}

/** The way back to a question about one place that was stopped. */
function Stopped({ analysis }: { readonly analysis: Analysis }): JSX.Element {
  return (
    <div class="row wrap">
      <p role="status">Stopped.</p>
      <button type="button" class="small" onClick={() => void analysis.ask()}>
        Ask again
      </button>
    </div>
  );
}

const unitsText = (units: number): string => units.toLocaleString("en", { maximumSignificantDigits: 3 });

/** The state of the answers in the panel; on a phone the charts too, which else lie below the map. */
function Answers({ analysis }: { readonly analysis: Analysis }): JSX.Element {
  const isNarrow = useIsNarrow();
  const isFile = analysis.file.value !== undefined;
  const hasPlaces = analysis.places.value.length > 0;
  return (
    <div class="answers">
      {analysis.isBusy.value ? <Progress analysis={analysis} /> : isFile && <AskFields analysis={analysis} />}
      {analysis.isStopped.value && !isFile && <Stopped analysis={analysis} />}
      {analysis.units.value > 0 && <p class="quiet">These answers cost {unitsText(analysis.units.value)} units.</p>}
      {isNarrow && hasPlaces && <Results analysis={analysis} />}
    </div>
  );
}

/** Curves and statistics of a point, an area, or the fields of a file. */
export function AnalysisTool({ isActive }: ToolProps): JSX.Element {
  const explorer = useExplorer();
  const analysis = analysisOf(explorer);
  usePlacesOnMap(explorer, analysis, isActive);
  useAsking(explorer, analysis, isActive);
  useEffect(() => {
    if (isActive) void analysis.loadSchema();
  }, [isActive, analysis]);
  const problem = analysis.schemaProblem.value;
  const isNarrow = useIsNarrow();
  const answers = analysis.hasKey.value && <Answers analysis={analysis} />;
  return (
    <div class="analysis">
      <Kinds value={explorer.store.view.numbers.value ?? "series"} />
      {!analysis.hasKey.value && <NeedsKey />}
      {/* on a phone, where charts are part of them, they would lie below the fold */}
      {isNarrow && answers}
      <PlacePicker analysis={analysis} isActive={isActive} />
      {problem === undefined ? <Options analysis={analysis} /> : <ProblemCard problem={problem} />}
      {!isNarrow && answers}
    </div>
  );
}
