import { problemFrom } from "../../api/problem-from.ts";
import { count } from "../../ui/format.ts";
import { problemCard } from "../../ui/problem-element.tsx";
import type { Account, AccountApi, Key, Usage } from "../account-api.ts";
import { h } from "../dom.ts";
import { dayName, monthName, monthOf, monthsBetween } from "../months.ts";
import { unitsOf, unitText } from "./unit-text.ts";
import { usageBars } from "./usage-bars.ts";
import { usageChart } from "./usage-chart.ts";

/** Operations that cost units, in words; others keep their id. */
const OPERATIONS: Readonly<Record<string, string>> = {
  getSearch: "Search",
  postSearch: "Search",
  getItems: "Items of a collection",
  getTile: "Map tiles",
  askWmts: "Map tiles by WMTS",
  getPreview: "Previews",
  processArea: "Extracted images",
  createProcessJob: "Extraction jobs",
  computeStatistics: "Statistics",
  getTimeseries: "Time series",
  computeTimeseries: "Time series",
  postMcp: "Model Context Protocol",
};
/** Other operations without units, such as those of this page. */
const FREE = "Others, free of charge";

interface Row {
  readonly name: Node | string;
  readonly units: number;
  readonly requests: number;
}

function countsTable(caption: string, first: string, rows: readonly Row[]): HTMLElement {
  return h(
    "table",
    {},
    h("caption", {}, caption),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, first),
        h("th", { scope: "col", class: "number" }, "Requests"),
        h("th", { scope: "col", class: "number" }, "Units"),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map(({ name, units, requests }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, name),
          h("td", { class: "number" }, count(requests)),
          h("td", { class: "number" }, unitText(units)),
        ),
      ),
    ),
  );
}

function routeRows({ byRoute }: Usage): readonly Row[] {
  const rows = new Map<string, { units: number; requests: number }>();
  for (const { route, units, requests } of byRoute) {
    const name = OPERATIONS[route] ?? (units > 0 ? route : FREE);
    const sum = rows.get(name) ?? { units: 0, requests: 0 };
    rows.set(name, { units: sum.units + units, requests: sum.requests + requests });
  }
  return [...rows].map(([name, counts]) => ({ name, ...counts })).sort((a, b) => b.units - a.units);
}

function keyRows({ keys: used }: Usage, keys: readonly Key[]): readonly Row[] {
  const nameOf = (id: string, prefix: string | null): Node | string => {
    if (id === "session") return "Signed in at this website";
    const known = keys.find((key) => key.id === id);
    const begins = known?.prefix ?? prefix;
    return h("span", {}, known?.name ?? "A former key", begins !== null && [" ", h("code", {}, `${begins}…`)]);
  };
  return [...used]
    .sort((a, b) => b.units - a.units)
    .map(({ id, prefix, units, requests }) => ({ name: nameOf(id, prefix), units, requests }));
}

/** Shows the units spent against the limit, as a figure and a bar. */
function balance({ units }: Usage): HTMLElement {
  const { limit, spent, remaining, restricted, restrictedRemaining } = units;
  if (limit === null) return h("p", { class: "figure" }, h("strong", {}, unitText(spent)), " units spent");
  const state = restricted
    ? `The month's units are spent. Until it ends ${unitsOf(restrictedRemaining ?? 0)} are left, one request at a time and at a tenth of the rate.`
    : `${unitsOf(remaining ?? 0)} left.`;
  return h(
    "div",
    { class: "balance" },
    h(
      "p",
      { class: "figure" },
      h("span", {}, h("strong", { id: "units-spent" }, unitText(spent)), ` of ${unitsOf(limit)}`),
    ),
    h("meter", {
      min: 0,
      max: limit,
      value: Math.min(limit, spent),
      class: restricted ? "over" : "",
      "aria-labelledby": "usage-title",
    }),
    h("p", { class: restricted ? "over" : "quiet" }, state),
  );
}

/** Units of a month: against the limit, by day, by key and by route. */
export class UsageView {
  readonly element: HTMLElement;
  readonly #api: AccountApi;
  readonly #keys: () => readonly Key[];
  readonly #now: () => number;
  readonly #content = h("div", { class: "usage" });
  readonly #month: HTMLSelectElement;
  #turn = 0;

  constructor(api: AccountApi, { created }: Account, keys: () => readonly Key[], now: () => number = Date.now) {
    this.#api = api;
    this.#keys = keys;
    this.#now = now;
    const months = monthsBetween(Date.parse(created), now());
    this.#month = h(
      "select",
      { id: "usage-month" },
      months.map((month) => h("option", { value: month }, monthName(month))),
    );
    this.#month.addEventListener("change", () => void this.load());
    const refresh = h("button", { type: "button", onclick: () => void this.load() }, "Refresh");
    this.element = h(
      "section",
      { class: "card", "aria-labelledby": "usage-title" },
      h(
        "header",
        {},
        h("h2", { id: "usage-title" }, "Units"),
        h("div", { class: "row" }, h("label", { for: "usage-month", class: "hidden" }, "Month"), this.#month, refresh),
      ),
      this.#content,
    );
  }

  /** Reads the chosen month again. */
  async load(): Promise<void> {
    const turn = ++this.#turn;
    this.element.setAttribute("aria-busy", "true");
    const month = this.#month.value === "" ? monthOf(this.#now()) : this.#month.value;
    try {
      const usage = await this.#api.usage(month);
      if (turn === this.#turn) this.#show(month, usage);
    } catch (error) {
      if (turn === this.#turn) this.#content.replaceChildren(problemCard(problemFrom(error)));
    }
    if (turn === this.#turn) this.element.removeAttribute("aria-busy");
  }

  #show(month: string, usage: Usage): void {
    const bars = usageBars(month, usage.byDay, usage.units.limit);
    const used = bars.bars.filter(({ requests, units }) => requests > 0 || units > 0);
    const busiest = used.reduce(
      (a, b) => (b.units > a.units ? b : a),
      bars.bars[0] ?? { date: `${month}-01`, units: 0 },
    );
    const summary =
      busiest.units === 0
        ? `Units by day in ${monthName(month)}: none`
        : `Units by day in ${monthName(month)}: most, ${unitsOf(busiest.units)}, on ${dayName(busiest.date)}`;
    this.#content.replaceChildren(
      balance(usage),
      usage.units.spent === 0 ? h("p", {}, "No units were spent in this month.") : "",
      usageChart(bars, summary),
      ...(used.length === 0
        ? []
        : [
            h(
              "div",
              { class: "usage-tables" },
              countsTable("By key", "Key", keyRows(usage, this.#keys())),
              countsTable("By route", "Route", routeRows(usage)),
            ),
            h(
              "details",
              {},
              h("summary", {}, "Days as a table"),
              countsTable(
                `By day, ${monthName(month)}, UTC`,
                "Day",
                used.map(({ date, units, requests }) => ({ name: dayName(date), units, requests })),
              ),
            ),
          ]),
    );
  }
}
