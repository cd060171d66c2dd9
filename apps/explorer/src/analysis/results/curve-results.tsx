import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { axisLabel, type Curve, pointsOf, sensorsOf } from "../../series/curves.ts";
import { fieldsCsv, type Observation, seriesCsv, summaryOf, valueText } from "../../series/observations.ts";
import { SeriesLegend, toggled } from "../../series/series-legend.tsx";
import { SeriesView, type SeriesViewProps } from "../../series/series-view.tsx";
import { type Explorer, useExplorer } from "../../state/explorer.ts";
import { saveCsv } from "../../ui/save-text.ts";
import { shownOf } from "../../view/shown.ts";
import type { Question } from "../ask.ts";
import { fileName, undetectableText } from "./result-words.ts";

function summaryText(curves: readonly Curve[]): string {
  if (curves.length !== 1) return `${curves.length} curves.`;
  const { observations, masked, least, largest } = summaryOf(curves[0]?.series.series ?? []);
  const values = `${observations - masked} values and ${masked} masked observations.`;
  if (least === undefined || largest === undefined) return values;
  const of = (row: Observation): string => `${valueText(row.value)} on ${row.datetime.slice(0, 10)}`;
  return `${values} Least ${of(least)}, largest ${of(largest)}.`;
}

/** Limits of values that all charts of fields share. */
function sharedLimits(curves: readonly Curve[]): readonly [number, number] | undefined {
  const values = curves.flatMap(({ series }) => series.series.flatMap(({ value }) => value ?? []));
  return values.length === 0 ? undefined : [Math.min(...values), Math.max(...values)];
}

/** A summary of the curves, the choice of a chart for each, and their table as a file. */
function CurveTools({
  curves,
  question,
  isApart,
  onApart,
}: {
  readonly curves: readonly Curve[];
  readonly question: Question;
  readonly isApart: boolean;
  readonly onApart: (isApart: boolean) => void;
}): JSX.Element | null {
  const [first] = curves;
  if (first === undefined) return null;
  const save = (): void => {
    const text = curves.length === 1 ? seriesCsv(first.series) : fieldsCsv(curves);
    saveCsv(text, fileName(question, axisLabel(first.series)));
  };
  return (
    <div class="row wrap result-tools">
      <p class="quiet">{summaryText(curves)}</p>
      {curves.length > 1 && (
        <label class="check">
          <input type="checkbox" checked={isApart} onChange={(event) => onApart(event.currentTarget.checked)} />A chart
          for each
        </label>
      )}
      <button type="button" class="small" onClick={save}>
        Save as CSV
      </button>
    </div>
  );
}

/** Shows the scene of an observation, by a preset that renders its collection. */
function showScene({ knownPresets: presets, collections, store }: Explorer, row: Observation): void {
  const shown = shownOf(presets, collections, { preset: store.state.preset, collection: row.collection });
  if (shown === undefined) return;
  const { preset, collection, custom } = shown;
  store.set({ preset: preset.id, custom, collection: collection.id, scene: row.itemId });
}

/** Curves as one chart or side by side, with their legend and table. */
export function Curves({
  curves,
  question,
  chosen,
}: {
  readonly curves: readonly Curve[];
  readonly question: Question;
  readonly chosen: string | undefined;
}): JSX.Element | null {
  const explorer = useExplorer();
  const wantsApart = useSignal(false);
  const hidden = useSignal<ReadonlySet<string>>(new Set());
  const sensors = useMemo(() => sensorsOf(pointsOf(curves)), [curves]);
  const limits = useMemo(() => sharedLimits(curves), [curves]);
  const isApart = wantsApart.value && curves.length > 1;
  const [first] = curves;
  if (first === undefined) return null;
  if (curves.every(({ series }) => series.series.length === 0)) {
    return <p>No scene of these sensors and dates covers the place.</p>;
  }
  const name = axisLabel(first.series);
  const setApart = (apart: boolean): void => {
    wantsApart.value = apart;
    hidden.value = new Set();
  };
  const toggle = (key: string): void => {
    hidden.value = toggled(hidden.value, key);
  };
  const { from, to } = question;
  const scene = explorer.store.view.scene.value;
  const onShow = (row: Observation): void => showScene(explorer, row);
  const shared = { from, to, scene, onShow, sensors, hidden: hidden.value };
  return (
    <>
      <CurveTools curves={curves} question={question} isApart={isApart} onApart={setApart} />
      <SeriesLegend {...{ curves, sensors, isApart, hidden: hidden.value }} onToggle={toggle} />
      {isApart ? (
        <Multiples curves={curves} chosen={chosen} limits={limits} shared={shared} name={name} />
      ) : (
        <SeriesView
          {...shared}
          curves={curves}
          chosen={chosen}
          title={curves.length === 1 ? `${name}: ${first.name}` : name}
        />
      )}
      <p class="quiet">{undetectableText(curves.map(({ series }) => series))}</p>
    </>
  );
}

/** A chart for each curve, with the same axes. */
function Multiples({
  curves,
  chosen,
  limits,
  shared,
  name,
}: {
  readonly curves: readonly Curve[];
  readonly chosen: string | undefined;
  readonly limits: SeriesViewProps["limits"];
  readonly shared: Omit<SeriesViewProps, "curves" | "title" | "limits">;
  readonly name: string;
}): JSX.Element {
  const each = useMemo(() => curves.map((curve) => [curve] as const), [curves]);
  return (
    <div class="multiples">
      {each.map((curve) => (
        <section key={curve[0].id} class={curve[0].id === chosen ? "multiple chosen" : "multiple"}>
          <h3>{curve[0].name}</h3>
          <SeriesView {...shared} curves={curve} limits={limits} title={`${name}: ${curve[0].name}`} />
        </section>
      ))}
    </div>
  );
}
