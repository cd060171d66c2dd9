import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { Collection } from "../api/types.ts";
import { useExplorer } from "../state/explorer.ts";
import { dayOf, windowStart } from "../view/days.ts";

interface Days {
  readonly from: string;
  readonly to: string;
}

/** Windows that end with the newest scene of a collection. */
function windowsOf(collection: Collection): readonly (readonly [title: string, days: Days])[] {
  const [first, last] = collection.extent.temporal.interval[0] ?? [];
  const to = last?.slice(0, 10) ?? dayOf(Date.now());
  return [
    ["30 days", { from: windowStart(to, "P30D"), to }],
    ["90 days", { from: windowStart(to, "P90D"), to }],
    ["A year", { from: windowStart(to, "P1Y"), to }],
    ["All", { from: first?.slice(0, 10) ?? "2013-01-01", to }],
  ];
}

function Windows(): JSX.Element {
  const { store, collection } = useExplorer();
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons are no set of form fields
    <div class="row wrap windows" role="group" aria-label="Dates up to the newest scene">
      {windowsOf(collection.value).map(([title, days]) => (
        <button key={title} type="button" class="small" onClick={() => store.set(days)}>
          {title}
        </button>
      ))}
    </div>
  );
}

/** First and last day of the scenes. */
export function DatesField(): JSX.Element {
  const { store, preset, isDateless } = useExplorer();
  const from = useRef<HTMLInputElement>(null);
  const to = useRef<HTMLInputElement>(null);
  const set = (): void => {
    const [first, last] = [from.current, to.current];
    if (first === null || last === null) return;
    const isReversed = first.value !== "" && last.value !== "" && first.value > last.value;
    last.setCustomValidity(isReversed ? "The last day is before the first." : "");
    if (isReversed || first.value === "" || last.value === "") last.reportValidity();
    else store.set({ from: first.value, to: last.value });
  };
  return (
    <>
      <div class="grid-2">
        <div class="field">
          <label for="from">From</label>
          <input type="date" id="from" required ref={from} value={store.view.from.value} onChange={set} />
        </div>
        <div class="field">
          <label for="to">To</label>
          <input type="date" id="to" required ref={to} value={store.view.to.value} onChange={set} />
        </div>
      </div>
      <Windows />
      {isDateless.value && <p class="quiet">{preset.value.title} is the same on all dates.</p>}
    </>
  );
}
