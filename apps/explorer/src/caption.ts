import type { Collection, Item } from "./api.ts";
import { hasClouds } from "./bands.ts";
import { h } from "./dom.ts";
import { dayAndTime, platformName } from "./format.ts";
import type { ViewState } from "./state.ts";

/** Says in words which images the map shows: the mosaic with its dates, or the one scene with the way back. */
export function caption(state: ViewState, collection: Collection, item: Item | undefined, onBack: () => void): Node[] {
  const { scene, from, to } = state;
  if (scene === undefined) {
    return [
      h("strong", {}, "Mosaic"),
      h("span", {}, collection.title ?? collection.id),
      h("span", {}, `${from} to ${to}`),
      h("span", { class: "wide-only" }, hasClouds(collection) ? "least cloudy on top" : "newest on top"),
    ];
  }
  const back = h("button", { type: "button" }, "Back to the mosaic");
  back.addEventListener("click", onBack);
  const facts = item?.properties;
  return [
    h("strong", {}, "One scene"),
    ...(facts === undefined
      ? [h("span", {}, scene)]
      : [h("span", {}, platformName(facts.platform)), h("span", {}, dayAndTime(facts.datetime))]),
    back,
  ];
}

/** Returns the credit for the images shown: the collection's line with the years of the acquisitions. */
export function creditLine(state: ViewState, collection: Collection, item: Item | undefined): string {
  const days = state.scene !== undefined && item !== undefined ? [item.properties.datetime] : [state.from, state.to];
  const years = [...new Set(days.map((day) => day.slice(0, 4)))].join("–");
  const line = (collection["svc:attribution"] ?? "").replaceAll("{years}", years);
  return [line, "Land: Natural Earth"].filter((part) => part !== "").join(" · ");
}
