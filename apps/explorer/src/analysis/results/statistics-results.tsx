import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { axisLabel } from "../../series/curves.ts";
import {
  fieldStatisticsCsv,
  intervalText,
  limitsOf,
  rowsOf,
  rowToShow,
  type Statistics,
  statisticsCsv,
} from "../../statistics/rows.ts";
import { Histogram, Intervals, NumbersTable } from "../../statistics/statistics-view.tsx";
import { saveCsv } from "../../ui/save-text.ts";
import type { Question } from "../ask.ts";
import { fileName, undetectableText } from "./result-words.ts";

/** Statistics of one place among those that are compared. */
export interface Numbers {
  readonly id: string;
  readonly name: string;
  readonly number: number;
  readonly statistics: Statistics;
}

/** Statistics of one place: intervals as a chart and a table, and the histogram of the chosen one. */
function OfIntervals({ numbers, label }: { readonly numbers: Numbers; readonly label: string }): JSX.Element {
  const rows = rowsOf(numbers.statistics);
  const wanted = useSignal<number | undefined>(undefined);
  const chosen = Math.min(rows.length - 1, wanted.value ?? rowToShow(rows));
  const row = rows[chosen];
  if (row === undefined) return <p>There are no intervals in these dates.</p>;
  const choose = (index: number): void => {
    wanted.value = index;
  };
  return (
    <div class={rows.length > 1 ? "numbers-grid" : "numbers-grid single"}>
      {rows.length > 1 && <Intervals rows={rows} label={label} chosen={chosen} onChoose={choose} />}
      <Histogram row={row} label={label} limits={limitsOf(rows)} />
      <NumbersTable
        caption={`${label} by interval`}
        first="Interval"
        rows={rows.map((each) => ({ key: each.from, name: intervalText(each), row: each }))}
        chosen={row.from}
        onChoose={(key) => choose(rows.findIndex(({ from }) => from === key))}
      />
    </div>
  );
}

/** Statistics of several fields: a table of all for the chosen interval, and the histogram of the chosen field. */
function OfFields({
  all,
  label,
  chosen,
  onChoose,
}: {
  readonly all: readonly Numbers[];
  readonly label: string;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}): JSX.Element {
  const wanted = useSignal<string | undefined>(undefined);
  const intervals = rowsOf(all[0]?.statistics ?? { data: [], undetectable: {} });
  const interval = intervals.find(({ from }) => from === wanted.value) ?? intervals[Math.max(0, rowToShow(intervals))];
  const rows = all.flatMap(({ id, name, statistics }) => {
    const row = rowsOf(statistics).find(({ from }) => from === interval?.from);
    return row === undefined ? [] : [{ key: id, name, row }];
  });
  const shown = rows.find(({ key }) => key === chosen) ?? rows[0];
  if (interval === undefined || shown === undefined) return <p>There are no intervals in these dates.</p>;
  return (
    <div class="numbers-grid">
      <div class="field">
        <label for="analysis-of-interval">Interval</label>
        <select
          id="analysis-of-interval"
          value={interval.from}
          onChange={(event) => {
            wanted.value = event.currentTarget.value;
          }}
        >
          {intervals.map((each) => (
            <option key={each.from} value={each.from}>
              {intervalText(each)}
            </option>
          ))}
        </select>
      </div>
      <Histogram row={shown.row} label={`${label} of ${shown.name}`} limits={limitsOf(rows.map(({ row }) => row))} />
      <NumbersTable
        caption={`${label} of fields, ${intervalText(interval)}`}
        first="Field"
        rows={rows}
        chosen={shown.key}
        onChoose={onChoose}
      />
    </div>
  );
}

/** Statistics as charts and a table, with the table as a file. */
export function StatisticsOf({
  all,
  question,
  chosen,
  onChoose,
}: {
  readonly all: readonly Numbers[];
  readonly question: Question;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}): JSX.Element | null {
  const [first] = all;
  if (first === undefined) return null;
  const { measure } = question;
  const label = axisLabel({
    ...(measure.kind === "index" ? { index: measure.id } : { index: null, expression: measure.text }),
  });
  const unit = rowsOf(first.statistics)[0]?.unit;
  const titled = unit === undefined || unit === "1" ? label : `${label}, ${unit.toLowerCase().replaceAll("_", " ")}`;
  return (
    <>
      <div class="row wrap result-tools">
        <button
          type="button"
          class="small"
          onClick={() =>
            saveCsv(
              all.length === 1 ? statisticsCsv(first.statistics) : fieldStatisticsCsv(all),
              fileName(question, label),
            )
          }
        >
          Save as CSV
        </button>
      </div>
      {all.length === 1 ? (
        <OfIntervals numbers={first} label={titled} />
      ) : (
        <OfFields all={all} label={titled} chosen={chosen} onChoose={onChoose} />
      )}
      <p class="quiet">{undetectableText(all.map(({ statistics }) => statistics))}</p>
    </>
  );
}
