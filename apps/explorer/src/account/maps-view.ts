import { problemFrom } from "../api/problem-from.ts";
import { problemCard } from "../ui/problem-element.tsx";
import type { AccountApi, MapToken } from "./account-api.ts";
import { confirmStep } from "./confirm.ts";
import { h } from "./dom.ts";
import { dayName } from "./months.ts";
import { newMapAddresses, newMapForm } from "./new-map.ts";

/** Active maps that an account may have. */
const MAX_MAPS = 20;

function facts({ presets, origins, unitsPerDay, created, expires, status }: MapToken): string {
  return [
    `made ${dayName(created)}`,
    presets === null ? "all presets" : presets.join(", "),
    ...(origins === null ? [] : [`on ${origins.join(", ")}`]),
    `${unitsPerDay.toLocaleString("en")} units a day`,
    ...(status === "ended" ? [] : [`${status === "expired" ? "expired" : "expires"} ${dayName(expires)}`]),
  ].join(" · ");
}

/** The map tokens of the account: made, their addresses shown once, ended. */
export class MapsView {
  readonly element: HTMLElement;
  readonly #api: AccountApi;
  readonly #count = h("p", { class: "quiet", role: "status" });
  readonly #active = h("ul", { class: "keys", "aria-label": "Maps" });
  readonly #ended = h("details", { hidden: true });
  readonly #problem = h("div");
  readonly #making = h("div", { class: "making" });
  readonly #form: HTMLFormElement;

  constructor(api: AccountApi) {
    this.#api = api;
    this.#form = newMapForm(
      () => this.#api.presets(),
      async (asked) => {
        const made = await this.#api.createMap(asked);
        this.#form.reset();
        this.#making.replaceChildren(newMapAddresses(made, () => this.#showForm(true)));
        await this.load();
      },
    );
    this.element = h(
      "section",
      { class: "card", "aria-labelledby": "maps-title" },
      h("header", {}, h("h2", { id: "maps-title" }, "Maps"), this.#count),
      h(
        "p",
        { class: "quiet" },
        "A map is an address of images that needs no key: for web pages, slides, ArcGIS or QGIS. Whoever has it sees images for your units.",
      ),
      this.#problem,
      this.#active,
      this.#making,
      this.#ended,
    );
    this.#showForm(false);
  }

  async load(): Promise<void> {
    let maps: readonly MapToken[];
    try {
      maps = await this.#api.maps();
      this.#problem.replaceChildren();
    } catch (error) {
      this.#problem.replaceChildren(problemCard(problemFrom(error)));
      return;
    }
    const active = maps.filter(({ status }) => status === "active");
    const ended = maps.filter(({ status }) => status !== "active");
    this.#count.textContent = `${active.length} of ${MAX_MAPS} in use`;
    this.#active.replaceChildren(...active.map((map) => this.#entry(map)));
    this.#active.hidden = active.length === 0;
    this.#ended.hidden = ended.length === 0;
    this.#ended.replaceChildren(
      h("summary", {}, `Ended maps (${ended.length})`),
      h(
        "ul",
        { class: "keys", "aria-label": "Ended maps" },
        ended.map((map) => this.#entry(map)),
      ),
    );
  }

  /** Removes the addresses from the page, if some are shown. */
  forgetSecret(): void {
    if (this.#making.querySelector("#new-map-tiles") !== null) this.#showForm(false);
  }

  #showForm(isFocused: boolean): void {
    const open = h("details", { class: "making-form" }, h("summary", {}, "New map"), this.#form);
    this.#making.replaceChildren(open);
    if (isFocused) open.querySelector("summary")?.focus();
  }

  #entry(map: MapToken): HTMLElement {
    const { id, name, prefix, status } = map;
    const label = name ?? prefix;
    const end = h("button", { type: "button", "aria-label": `End ${label}`, onclick: () => this.#end(map) }, "End");
    return h(
      "li",
      { "data-map": id },
      h(
        "div",
        { class: "key-facts" },
        h(
          "p",
          {},
          h("strong", {}, label),
          h("code", {}, `${prefix}…`),
          status !== "active" && h("span", { class: "tag ended" }, status),
        ),
        h("p", { class: "quiet" }, facts(map)),
      ),
      status === "active" && end,
    );
  }

  #end({ id, name, prefix }: MapToken): void {
    confirmStep({
      title: `End “${name ?? prefix}”?`,
      text: "Pages with its addresses show no more images within a minute. It cannot be brought back.",
      action: "End",
      run: async () => {
        await this.#api.endMap(id);
        await this.load();
      },
    });
  }
}
