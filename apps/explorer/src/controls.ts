import type { Collection, Preset } from "./api.ts";
import { hasClouds } from "./bands.ts";
import { dayOf, presetDays, windowStart } from "./days.ts";
import { h } from "./dom.ts";
import { isOffered } from "./shown.ts";
import type { Store } from "./state.ts";

/** Controls of the map's image: preset, collection, dates, largest cloud cover. */
export function controls(store: Store, presets: readonly Preset[], collections: readonly Collection[]): HTMLElement {
  /** Shows a preset of a collection, or of its own collection where it is not offered on that one. */
  const view = (preset: Preset, wanted: string): void => {
    const id = isOffered(preset, wanted) ? wanted : preset.collection;
    const shown = collections.find((each) => each.id === id);
    const interval = shown?.extent.temporal.interval[0] ?? [];
    // another collection may have nothing at all in the days that are chosen
    const isElsewhere = id !== store.state.collection && !overlaps(store.state, interval[0], interval[1]);
    const isAlways = preset.defaultWindow === undefined && interval[0] != null;
    const days = isElsewhere || isAlways ? presetDays(preset.defaultWindow, interval, Date.now()) : {};
    const clouds = shown === undefined || hasClouds(shown) ? {} : { cloud: 100 };
    store.set({ preset: preset.id, collection: id, ...days, ...clouds });
  };
  const presetInputs = presets.map((preset) => h("input", { type: "radio", name: "preset", value: preset.id }));
  presetInputs.forEach((input, i) => {
    input.addEventListener("change", () => view(presets[i] as Preset, store.state.collection));
  });
  const collection = h(
    "select",
    { id: "collection" },
    collections.map(({ id, title }) => h("option", { value: id }, title ?? id)),
  );
  collection.addEventListener("change", () => {
    const current = presets.find(({ id }) => id === store.state.preset);
    const preset = isOffered(current, collection.value)
      ? current
      : presets.find((each) => isOffered(each, collection.value));
    view(preset ?? (current as Preset), collection.value);
  });
  const from = h("input", { type: "date", id: "from", required: true });
  const to = h("input", { type: "date", id: "to", required: true });
  const setDates = (): void => {
    to.setCustomValidity(
      from.value !== "" && to.value !== "" && from.value > to.value ? "The last day is before the first." : "",
    );
    if (from.value === "" || to.value === "" || from.value > to.value) {
      to.reportValidity();
      return;
    }
    store.set({ from: from.value, to: to.value });
  };
  for (const input of [from, to]) input.addEventListener("change", setDates);
  const newest = (): string => {
    const last = collections.find(({ id }) => id === store.state.collection)?.extent.temporal.interval[0]?.[1];
    return last?.slice(0, 10) ?? dayOf(Date.now());
  };
  const first = (): string =>
    collections.find(({ id }) => id === store.state.collection)?.extent.temporal.interval[0]?.[0]?.slice(0, 10) ??
    "2013-01-01";
  const windows: readonly [string, () => { from: string; to: string }][] = [
    ["30 days", () => ({ from: windowStart(newest(), "P30D"), to: newest() })],
    ["90 days", () => ({ from: windowStart(newest(), "P90D"), to: newest() })],
    ["A year", () => ({ from: windowStart(newest(), "P1Y"), to: newest() })],
    ["All", () => ({ from: first(), to: newest() })],
  ];
  const cloud = h("input", { type: "range", id: "cloud", min: 0, max: 100, step: 5, "aria-describedby": "cloud-note" });
  const cloudText = h("output", { for: "cloud" });
  const showCloud = (): void => {
    cloudText.textContent = cloud.value === "100" ? "any" : `at most ${cloud.value} %`;
  };
  cloud.addEventListener("input", showCloud);
  cloud.addEventListener("change", () => store.set({ cloud: Number(cloud.value) }));

  const cloudField = h(
    "div",
    { class: "field" },
    h("label", { for: "cloud" }, "Cloud cover ", cloudText),
    cloud,
    h(
      "p",
      { class: "quiet", id: "cloud-note" },
      "For the list and downloads. The mosaic puts the least cloudy scene on top.",
    ),
  );

  const summary = h("span", { class: "settings-line" });
  const show = (): void => {
    const { state } = store;
    const current = collections.find(({ id }) => id === state.collection);
    const title = current?.title ?? state.collection;
    cloudField.hidden = current !== undefined && !hasClouds(current);
    const clouds = state.cloud === 100 ? "" : `, cloud at most ${state.cloud} %`;
    summary.textContent = `${title}, ${state.from} to ${state.to}${clouds}`;
    presetInputs.forEach((input, i) => {
      input.checked = presets[i]?.id === state.preset;
    });
    collection.value = state.collection;
    from.value = state.from;
    to.value = state.to;
    to.setCustomValidity("");
    cloud.value = String(state.cloud);
    showCloud();
  };
  store.on(["preset", "collection", "from", "to", "cloud"], show);
  show();

  return h(
    "form",
    { class: "controls", onsubmit: (event: Event) => event.preventDefault() },
    h(
      "fieldset",
      { class: "segments" },
      h("legend", { class: "hidden" }, "Preset"),
      presets.map((preset, i) =>
        h("label", { title: preset.description }, presetInputs[i], h("span", {}, preset.title)),
      ),
    ),
    h(
      "details",
      // on a phone the map and the list need the space
      { class: "settings", open: !matchMedia("(max-width: 46rem)").matches },
      h("summary", {}, summary),
      h(
        "div",
        { class: "settings-body" },
        h("div", { class: "field" }, h("label", { for: "collection" }, "Collection"), collection),
        h(
          "div",
          { class: "grid-2" },
          h("div", { class: "field" }, h("label", { for: "from" }, "From"), from),
          h("div", { class: "field" }, h("label", { for: "to" }, "To"), to),
        ),
        h(
          "div",
          { class: "row wrap windows", role: "group", "aria-label": "Dates up to the newest scene" },
          windows.map(([text, days]) =>
            h("button", { type: "button", class: "small", onclick: () => store.set(days()) }, text),
          ),
        ),
        cloudField,
      ),
    ),
  );
}

/** Whether days lie within the time of a collection, an absent end of which is open. */
function overlaps(
  { from, to }: { readonly from: string; readonly to: string },
  start: string | null | undefined,
  end: string | null | undefined,
): boolean {
  return (start ?? "") <= `${to}T24` && (end ?? "9999") >= from;
}
