import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { bandNames, type MeasureChoice as Measure } from "../series/measures.ts";
import type { Reducer } from "../series/request.ts";
import { useExplorer } from "../state/explorer.ts";
import type { Interval } from "../statistics/request.ts";
import { Switch } from "../ui/switch.tsx";
import type { Span } from "../view/analysis-view.ts";
import type { Analysis } from "./analysis.ts";

const SPAN_TEXTS: Readonly<Record<Span, string>> = {
  view: "The dates in view",
  P1Y: "A year",
  P2Y: "Two years",
  P5Y: "Five years",
  P15Y: "Fifteen years",
};
const REDUCER_TEXTS: Readonly<Record<Reducer, string>> = {
  mean: "Mean of the pixels",
  median: "Median of the pixels",
  min: "Least pixel",
  max: "Largest pixel",
};
const INTERVAL_TEXTS: Readonly<Record<Interval, string>> = {
  all: "All dates in one",
  P1D: "By day",
  P10D: "By 10 days",
  P1M: "By month",
  P3M: "By 3 months",
  P1Y: "By year",
};

interface ChoiceProps<T extends string> {
  readonly id: string;
  readonly label: string;
  readonly value: T;
  readonly texts: Readonly<Record<T, string>>;
  readonly onChange: (value: T) => void;
}

function Choice<T extends string>({ id, label, value, texts, onChange }: ChoiceProps<T>): JSX.Element {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {Object.entries<string>(texts).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function Group({
  label,
  choices,
}: {
  readonly label: string;
  readonly choices: readonly Measure[];
}): JSX.Element | null {
  if (choices.length === 0) return null;
  return (
    <optgroup label={label}>
      {choices.map(({ value, title }) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </optgroup>
  );
}

/** The choice of an index, a band or band math of one's own. */
function MeasureChoice({ analysis }: { readonly analysis: Analysis }): JSX.Element {
  const { store, presets } = useExplorer();
  const { indices, bands } = analysis.choices.value;
  const usual = indices.filter(({ value }) => presets.some(({ id }) => id === `index-${value}`));
  const measure = analysis.measure.value;
  const isOwn = measure.startsWith("=");
  return (
    <div class="field">
      <label for="analysis-measure">Value</label>
      <select
        id="analysis-measure"
        value={isOwn ? "=" : measure}
        onChange={(event) => {
          const { value } = event.currentTarget;
          store.set({ measure: value === "=" ? `=${bands[0]?.title ?? ""}` : value });
        }}
      >
        <Group label="Indices" choices={usual} />
        <Group label="Bands" choices={bands} />
        <option value="=">Your own expression …</option>
        <Group label="More indices" choices={indices.filter((each) => !usual.includes(each))} />
      </select>
    </div>
  );
}

/** Band math of one's own, sent when it is entered. */
function ExpressionField({ analysis }: { readonly analysis: Analysis }): JSX.Element {
  const { store } = useExplorer();
  const measure = analysis.measure.value;
  const [text, setText] = useState(measure.slice(1));
  const schema = analysis.schema.value;
  const names = schema === undefined ? [] : bandNames(schema, analysis.collection.value);
  const enter = (): void => {
    if (text.trim() !== "") store.set({ measure: `=${text.trim()}` });
  };
  return (
    <div class="field">
      <label for="analysis-expression">Expression</label>
      <input
        id="analysis-expression"
        type="text"
        spellcheck={false}
        autocomplete="off"
        maxLength={500}
        value={text}
        aria-describedby="analysis-names"
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={enter}
        onKeyDown={(event) => event.key === "Enter" && enter()}
      />
      <p class="quiet" id="analysis-names">
        Band math of {names.join(", ")}. Such as <code>(nir08 - red) / (nir08 + red)</code>.
      </p>
    </div>
  );
}

/** Chooses the computed value, the sensors and the time. */
export function Options({ analysis }: { readonly analysis: Analysis }): JSX.Element {
  const { store } = useExplorer();
  const { view } = store;
  const kind = view.numbers.value ?? "series";
  const sensors = Object.fromEntries(analysis.sensors.value.map(({ id, title }) => [id, title]));
  const isArea = analysis.places.value.some(({ geometry }) => geometry.type !== "Point");
  return (
    <div class="analysis-options">
      <MeasureChoice analysis={analysis} />
      {analysis.measure.value.startsWith("=") && <ExpressionField analysis={analysis} />}
      <div class="grid-2">
        <Choice
          id="analysis-sensors"
          label="Sensors"
          value={analysis.collection.value}
          texts={sensors}
          onChange={(value) => store.set({ sensors: value })}
        />
        <Choice
          id="analysis-span"
          label="Time"
          value={view.span.value ?? "P2Y"}
          texts={SPAN_TEXTS}
          onChange={(span) => store.set({ span })}
        />
        {kind === "series" && isArea && (
          <Choice
            id="analysis-reducer"
            label="One value"
            value={analysis.reducer.value}
            texts={REDUCER_TEXTS}
            onChange={(value) => {
              analysis.reducer.value = value;
            }}
          />
        )}
        {kind === "statistics" && (
          <Choice
            id="analysis-interval"
            label="Intervals"
            value={analysis.interval.value}
            texts={INTERVAL_TEXTS}
            onChange={(value) => {
              analysis.interval.value = value;
            }}
          />
        )}
      </div>
      <Switch
        label="Leave out clouds and their shadows"
        isOn={view.clouds.value !== "kept"}
        onChange={(isOn) => store.set({ clouds: isOn ? undefined : "kept" })}
      />
    </div>
  );
}
