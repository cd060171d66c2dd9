import "./compare.css";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { dayText } from "../days/by-day.ts";
import { useDays } from "../days/use-days.ts";
import { isCurated } from "../panel/index-field.tsx";
import { useExplorer } from "../state/explorer.ts";
import type { ToolProps } from "../tool.ts";
import { ProblemCard } from "../ui/problem-card.tsx";
import { hasClouds } from "../view/bands.ts";
import { sideText, yearBefore } from "../view/right-side.ts";
import { CUSTOM, type ViewState } from "../view/view.ts";

interface Days {
  readonly from: string;
  readonly to: string;
}

/** The image to begin with: of the same days, so that there is something on both sides. */
function beginning(view: ViewState, presets: readonly { readonly id: string }[]): Partial<ViewState> {
  const other = ["ndvi", "true-color"].find((id) => id !== view.preset && presets.some((each) => each.id === id));
  return { right: { from: view.from, to: view.to }, rightPreset: other };
}

interface DayListProps {
  readonly id: string;
  readonly label: string;
  readonly collection: string;
  readonly chosen: Days;
  readonly isActive: boolean;
  readonly onChoose: (days: Days) => void;
}

/** A day of those that have scenes in view, in the whole time of a collection. */
function DayList({ id, label, collection, chosen, isActive, onChoose }: DayListProps): JSX.Element {
  const { collections } = useExplorer();
  const [first, last] = collections.find((each) => each.id === collection)?.extent.temporal.interval[0] ?? [];
  const whole = { from: first?.slice(0, 10) ?? "1972-01-01", to: last?.slice(0, 10) ?? "2100-01-01" };
  const { found, problem, isBusy } = useDays(whole, isActive, collection);
  const days = [...(found?.days.values() ?? [])].sort((a, b) => b.day.localeCompare(a.day));
  const isOne = chosen.from === chosen.to && found?.days.has(chosen.from) === true;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={isOne ? chosen.from : ""}
        onChange={({ currentTarget: { value } }) => value !== "" && onChoose({ from: value, to: value })}
      >
        <option value="">
          {isBusy ? "Searching …" : `Choose one of ${days.length}${found?.isCut ? " newest" : ""}`}
        </option>
        {days.map((each) => (
          <option key={each.day} value={each.day} title={dayText(each.day, each)}>
            {each.cloud === undefined ? each.day : `${each.day}, ${Math.round(each.cloud)} % cloud`}
          </option>
        ))}
      </select>
      {problem !== undefined && <ProblemCard problem={problem} />}
    </div>
  );
}

/** First and last day of the right image. */
function RightDates({ right }: { readonly right: Days }): JSX.Element {
  const { store } = useExplorer();
  const set = (change: Partial<Days>, input: HTMLInputElement): void => {
    const wanted = { ...right, ...change };
    const isReversed = wanted.from > wanted.to;
    input.setCustomValidity(isReversed ? "The last day is before the first." : "");
    if (isReversed || input.value === "") input.reportValidity();
    else store.set({ right: wanted });
  };
  return (
    <div class="grid-2">
      <div class="field">
        <label for="right-from">From</label>
        <input
          type="date"
          id="right-from"
          required
          value={right.from}
          onChange={({ currentTarget }) => set({ from: currentTarget.value }, currentTarget)}
        />
      </div>
      <div class="field">
        <label for="right-to">To</label>
        <input
          type="date"
          id="right-to"
          required
          value={right.to}
          onChange={({ currentTarget }) => set({ to: currentTarget.value }, currentTarget)}
        />
      </div>
    </div>
  );
}

function RightImage(): JSX.Element {
  const { store, knownPresets: presets } = useExplorer();
  const choose = (id: string): void => store.set({ rightPreset: id === "" ? undefined : id });
  return (
    <div class="field">
      <label for="right-preset">Image</label>
      <select
        id="right-preset"
        value={store.view.rightPreset.value ?? ""}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">The same as on the left</option>
        {[...presets.filter(isCurated), ...presets.filter((preset) => !isCurated(preset))].map(({ id, title }) => (
          <option key={id} value={id}>
            {isCurated({ id }) ? title : `${id.replace("index-", "").toUpperCase()}: ${title}`}
          </option>
        ))}
      </select>
    </div>
  );
}

function Actions({ right }: { readonly right: Days }): JSX.Element {
  const { store, preset, right: side } = useExplorer();
  const swap = (): void => {
    const { from, to } = store.state;
    const shown = side.peek();
    if (shown === undefined) return;
    const isOther = shown.preset.id !== preset.peek().id;
    store.set({
      ...right,
      scene: undefined,
      preset: shown.preset.id,
      collection: shown.collection.id,
      custom: shown.view.custom,
      right: { from, to },
      rightPreset: isOther ? preset.peek().id : undefined,
    });
  };
  return (
    <div class="row wrap">
      <button
        type="button"
        class="small"
        onClick={() => store.set({ right: { from: yearBefore(right.from), to: yearBefore(right.to) } })}
      >
        A year earlier
      </button>
      {/* a custom image has no name that the right could have */}
      <button type="button" class="small" disabled={preset.value.id === CUSTOM} onClick={swap}>
        Swap
      </button>
      <button
        type="button"
        class="small"
        onClick={() => store.set({ right: undefined, rightPreset: undefined, swipe: undefined, card: undefined })}
      >
        Stop comparing
      </button>
    </div>
  );
}

/** Chooses what the view is compared with: other days, another image, or both. */
export function Compare({ isActive }: ToolProps): JSX.Element | null {
  const { store, presets, drawn, preset, collection, right: side } = useExplorer();
  const right = store.view.right.value;
  useEffect(() => {
    if (isActive && right === undefined) store.set(beginning(store.state, presets));
  }, [isActive, right === undefined]);
  const other = side.value;
  if (right === undefined || other === undefined) return null;
  const left = drawn.value;
  return (
    <div class="compare">
      <section class="compare-side" aria-label="Left image">
        <h3>Left: {sideText(preset.value, left)}</h3>
        <DayList
          id="left-day"
          label="Day of the left image"
          collection={collection.value.id}
          chosen={left}
          isActive={isActive}
          onChoose={(days) => store.set({ ...days, scene: undefined })}
        />
      </section>
      <section class="compare-side" aria-label="Right image">
        <h3>Right: {sideText(other.preset, right)}</h3>
        <RightImage />
        <DayList
          id="right-day"
          label="Day of the right image"
          collection={other.collection.id}
          chosen={right}
          isActive={isActive}
          onChoose={(days) => store.set({ right: days })}
        />
        <RightDates right={right} />
      </section>
      <Actions right={right} />
      <p class="quiet">
        {hasClouds(other.collection) ? "Least cloudy scenes are on top. " : ""}
        Scenes, values and clicks are of the left image.
      </p>
    </div>
  );
}
