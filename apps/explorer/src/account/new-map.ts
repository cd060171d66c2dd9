import { problemFrom } from "../api/problem-from.ts";
import { problemCard } from "../ui/problem-element.tsx";
import type { MapRequest, NewMap, PresetName } from "./account-api.ts";
import { copyField } from "./copy.ts";
import { h } from "./dom.ts";

/** Lives of maps, in days. */
const LIVES: readonly (readonly [days: number, text: string])[] = [
  [7, "A week"],
  [90, "90 days"],
  [365, "A year"],
];
const USUAL_LIFE = 90;
const USUAL_UNITS = 1000;

/** The form of a new map. `create` makes it; the presets are asked for when the form is first used. */
export function newMapForm(
  presets: () => Promise<readonly PresetName[]>,
  create: (asked: MapRequest) => Promise<void>,
): HTMLFormElement {
  const name = h("input", { id: "map-name", type: "text", required: true, maxlength: 64, autocomplete: "off" });
  const preset = h("select", { id: "map-preset" }, h("option", { value: "" }, "All presets"));
  const units = h("input", {
    id: "map-units",
    type: "number",
    min: 1,
    max: 100_000,
    value: USUAL_UNITS,
    required: true,
  });
  const origin = h("input", { id: "map-origin", type: "url", placeholder: "https://example.com", autocomplete: "off" });
  const life = h(
    "select",
    { id: "map-life" },
    LIVES.map(([days, text]) => h("option", { value: days, selected: days === USUAL_LIFE }, text)),
  );
  const submit = h("button", { type: "submit", class: "primary" }, "Make the map");
  const problem = h("div");
  const field = (input: HTMLElement, text: string): HTMLElement =>
    h("div", { class: "field" }, h("label", { for: input.id }, text), input);
  const form = h(
    "form",
    { class: "new-key", "aria-label": "New map" },
    field(name, "Name of the map"),
    field(preset, "Shows"),
    field(units, "Units a day at most"),
    field(origin, "Only on pages of (may be left empty)"),
    field(life, "Ends after"),
    problem,
    submit,
  );
  let isAsked = false;
  form.addEventListener("focusin", () => {
    if (isAsked) return;
    isAsked = true;
    presets().then(
      (found) => preset.append(...found.map(({ id, title }) => h("option", { value: id }, title))),
      () => {
        isAsked = false;
      },
    );
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit.disabled = true;
    problem.replaceChildren();
    create({
      name: name.value.trim(),
      unitsPerDay: Number(units.value),
      expiresInDays: Number(life.value),
      ...(preset.value === "" ? {} : { presets: [preset.value] }),
      ...(origin.value === "" ? {} : { origins: [new URL(origin.value).origin] }),
    })
      .catch((error: unknown) => problem.replaceChildren(problemCard(problemFrom(error))))
      .finally(() => {
        submit.disabled = false;
      });
  });
  return form;
}

/** The addresses of a new map, until `onDone`. They are in the page's memory alone, and nowhere after that. */
export function newMapAddresses({ name, links }: NewMap, onDone: () => void): HTMLElement {
  const addressOf = (rel: string): string => links.find((link) => link.rel === rel)?.href ?? "";
  const tiles = copyField("new-map-tiles", addressOf("tiles"));
  const wmts = copyField("new-map-wmts", addressOf("wmts"));
  const done = h("button", { type: "button", onclick: () => onDone() }, "I have kept them");
  const card = h(
    "div",
    { class: "new-secret", role: "group", "aria-labelledby": "new-map-title" },
    h("h3", { id: "new-map-title" }, `The map “${name}”`),
    h("p", {}, "Copy the addresses now: they are shown this once. The service stores a hash of the token in them."),
    h("p", { class: "quiet" }, "Tiles, for Leaflet, OpenLayers, QGIS or ArcGIS:"),
    tiles.element,
    h("p", { class: "quiet" }, "All layers, as WMTS:"),
    wmts.element,
    done,
  );
  queueMicrotask(() => tiles.button.focus());
  return card;
}
