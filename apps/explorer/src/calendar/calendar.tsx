import "./calendar.css";
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type DayScenes, dayText } from "../days/by-day.ts";
import type { DaysFound } from "../days/search-days.ts";
import { useDays } from "../days/use-days.ts";
import { useExplorer } from "../state/explorer.ts";
import type { ToolProps } from "../tool.ts";
import { ProblemCard } from "../ui/problem-card.tsx";
import { addMonths, dayAfterKey, daysOfMonth, type Month, monthOf, weeksOf } from "./month.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const monthName = (month: Month): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleString("en", { month: "long", year: "numeric", timeZone: "UTC" });

interface DayProps {
  readonly day: string;
  readonly scenes: DayScenes | undefined;
  readonly isChosen: boolean;
  readonly isFocused: boolean;
  readonly onFocus: () => void;
  readonly onChoose: () => void;
}

function Day({ day, scenes, isChosen, isFocused, onFocus, onChoose }: DayProps): JSX.Element {
  const clear = scenes?.cloud === undefined ? 100 : 100 - scenes.cloud;
  return (
    <button
      type="button"
      class={scenes === undefined ? "day" : "day has-data"}
      data-day={day}
      data-cloud={scenes?.cloud === undefined ? undefined : `${Math.round(scenes.cloud)} %`}
      tabIndex={isFocused ? 0 : -1}
      aria-pressed={isChosen}
      aria-disabled={scenes === undefined}
      aria-label={dayText(day, scenes)}
      title={dayText(day, scenes)}
      onFocus={onFocus}
      onClick={() => scenes !== undefined && onChoose()}
    >
      {Number(day.slice(8))}
      {scenes !== undefined && (
        <span class="clear" aria-hidden="true">
          <span style={{ width: `${clear}%` }} />
        </span>
      )}
    </button>
  );
}

/** Puts the focus on a day, where the grid has it. */
function focusDay(grid: HTMLElement | null, day: string): boolean {
  const button = grid?.querySelector<HTMLElement>(`[data-day="${day}"]`);
  button?.focus();
  return button !== null && button !== undefined;
}

interface GridProps {
  readonly month: Month;
  readonly days: ReadonlyMap<string, DayScenes>;
  readonly onDay: (day: string) => void;
  readonly onMonth: (month: Month) => void;
}

/** The days of a month as a grid: arrow keys go by days and weeks, Page Up and Page Down by months, with Shift by years. */
function MonthGrid({ month, days, onDay, onMonth }: GridProps): JSX.Element {
  const { store } = useExplorer();
  const grid = useRef<HTMLTableElement>(null);
  const focused = useSignal(`${month}-01`);
  const goesTo = useRef<string | undefined>(undefined);
  const { from, to } = daysOfMonth(month);
  const withData = [...days.keys()].sort().find((day) => day >= from && day <= to);
  const stopOf = (day: string): string => (day >= from && day <= to ? day : (withData ?? from));
  const stop = stopOf(focused.value);
  useEffect(() => {
    // a day of another month is there only now
    if (goesTo.current !== undefined && focusDay(grid.current, goesTo.current)) goesTo.current = undefined;
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = dayAfterKey(goesTo.current ?? stopOf(focused.peek()), event.key, event.shiftKey);
    if (next === undefined) return;
    event.preventDefault();
    focused.value = next;
    goesTo.current = focusDay(grid.current, next) ? undefined : next;
    if (monthOf(next) !== month) onMonth(monthOf(next));
  };
  const { from: first, to: last } = store.view;
  return (
    <table class="month" ref={grid} aria-label={monthName(month)} onKeyDown={onKeyDown}>
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <th key={name} scope="col" abbr={name}>
              {name.slice(0, 2)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week) => (
          <tr key={week.find((day) => day !== undefined)}>
            {week.map((day, i) => (
              <td key={day ?? `beside ${i}`}>
                {day !== undefined && (
                  <Day
                    day={day}
                    scenes={days.get(day)}
                    isChosen={first.value === day && last.value === day}
                    isFocused={day === stop}
                    onFocus={() => {
                      focused.value = day;
                    }}
                    onChoose={() => onDay(day)}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function statusText(found: DaysFound | undefined, isBusy: boolean): string {
  if (isBusy || found === undefined) return "Searching …";
  const { days, isCut } = found;
  if (days.size === 0) return "No scenes in view in this month.";
  const count = `${days.size} ${days.size === 1 ? "day has" : "days have"} scenes in view.`;
  return isCut ? `${count} There are more: zoom in to see all.` : count;
}

/** Days that have scenes in view, with their cloud, month by month; choosing one shows its images. */
export function Calendar({ isActive }: ToolProps): JSX.Element {
  const { store } = useExplorer();
  const month = useSignal<Month>(monthOf(store.state.to));
  const before = useRef<{ from: string; to: string } | undefined>(undefined);
  const { found, problem, isBusy } = useDays(daysOfMonth(month.value), isActive);
  const { from, to } = store.view;
  const isOneDay = from.value === to.value;
  const choose = (day: string): void => {
    if (!isOneDay) before.current = { from: from.value, to: to.value };
    store.set({ from: day, to: day, scene: undefined });
  };
  const go = (months: number): void => {
    month.value = addMonths(month.value, months);
  };
  return (
    <div class="calendar">
      <div class="row month-row">
        <button type="button" class="small" aria-label="The month before" onClick={() => go(-1)}>
          ‹
        </button>
        <h3 aria-live="polite">{monthName(month.value)}</h3>
        <button type="button" class="small" aria-label="The month after" onClick={() => go(1)}>
          ›
        </button>
      </div>
      <MonthGrid
        month={month.value}
        days={found?.days ?? new Map()}
        onDay={choose}
        onMonth={(wanted) => {
          month.value = wanted;
        }}
      />
      {problem === undefined ? (
        <p class="quiet" role="status">
          {statusText(found, isBusy)}
        </p>
      ) : (
        <ProblemCard problem={problem} />
      )}
      <p class="quiet">Percent of cloud; the bar is as long as the sky is clear.</p>
      {isOneDay && before.current !== undefined && (
        <button type="button" class="small" onClick={() => store.set({ ...before.current })}>
          Back to {before.current.from} to {before.current.to}
        </button>
      )}
    </div>
  );
}
