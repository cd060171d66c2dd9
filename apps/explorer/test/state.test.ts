import fc from "fast-check";
import { expect, test } from "vitest";
import type { Api } from "../src/api/api.ts";
import { SceneSearch } from "../src/state/scene-search.ts";
import { SPANS } from "../src/view/analysis-view.ts";
import { Store } from "../src/view/store.ts";
import { CARDS, formatState, parseState, TABS, type ViewState } from "../src/view/view.ts";

const day = fc
  .date({ min: new Date("1972-01-01"), max: new Date("2035-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const degrees = (limit: number) => fc.integer({ min: -limit * 1e5, max: limit * 1e5 }).map((value) => value / 1e5);
const point = fc.tuple(degrees(180), degrees(90));
const id = fc.stringMatching(/^[A-Za-z0-9_.-]{1,40}$/);
const area = fc.oneof(
  fc
    .tuple(degrees(180), degrees(90), degrees(180), degrees(90))
    .filter(([a, b, c, d]) => a !== c && b !== d)
    .map(([a, b, c, d]) => ({
      kind: "box" as const,
      bbox: [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)] as const,
    })),
  fc.array(point, { minLength: 3, maxLength: 12 }).map((corners) => ({ kind: "polygon" as const, corners })),
);
const state: fc.Arbitrary<ViewState> = fc
  .record(
    {
      preset: id,
      collection: id,
      days: fc.tuple(day, day).map((pair) => pair.sort()),
      cloud: fc.integer({ min: 0, max: 100 }),
      scene: id,
      tab: fc.constantFrom(...TABS),
      card: fc.constantFrom(...CARDS),
      opacity: fc.integer({ min: 0, max: 100 }),
      map: fc.record({
        zoom: fc.integer({ min: 0, max: 2200 }).map((z) => z / 100),
        lat: degrees(90),
        lon: degrees(180),
      }),
      area,
      right: fc
        .tuple(day, day)
        .map((pair) => pair.sort())
        .map(([from = "", to = ""]) => ({ from, to })),
      rightPreset: id,
      swipe: fc.integer({ min: 0, max: 100 }),
      day,
      point,
      measure: fc.constantFrom("ndvi", "band:red", "=nir08 / red"),
      sensors: id,
      span: fc.constantFrom(...SPANS),
      numbers: fc.constant("statistics" as const),
    },
    { requiredKeys: ["preset", "collection", "days", "cloud", "tab", "opacity"] },
  )
  .map(({ days, ...rest }) => ({
    ...rest,
    from: days[0],
    to: days[1],
  }));

test("a view comes back from its address as it was", () => {
  fc.assert(
    fc.property(state, (view) => {
      const { cloud, tab, opacity, ...rest } = parseState(`#${formatState(view)}`);
      expect({
        cloud: 100,
        tab: "scenes",
        ...rest,
        ...(cloud === undefined ? {} : { cloud }),
        ...(tab === undefined ? {} : { tab }),
        opacity: opacity ?? 100,
      }).toEqual(view);
    }),
  );
});

test("an address is readable", () => {
  expect(
    formatState({
      preset: "ndvi",
      collection: "sentinel-2-l2a",
      from: "2024-07-01",
      to: "2024-07-31",
      cloud: 30,
      tab: "download",
      opacity: 100,
      map: { zoom: 9.5, lat: 45.5, lon: 13.75 },
      area: { kind: "box", bbox: [13.1, 45.2, 13.2, 45.3] },
    }),
  ).toBe(
    "preset=ndvi&collection=sentinel-2-l2a&dates=2024-07-01/2024-07-31&cloud=30&tab=download&map=9.5/45.5/13.75&box=13.1,45.2,13.2,45.3",
  );
});

test.each([
  ["dates that are none", "dates=2024-02-30x/2024-03-01"],
  ["a day that the calendar does not have", "dates=2024-02-30/2024-03-01"],
  ["dates the wrong way round", "dates=2024-03-02/2024-03-01"],
  ["cloud beyond 100", "cloud=101"],
  ["a place off the Earth", "map=9/95/13"],
  ["a box without width", "box=13,45,13,46"],
  ["a polygon of two corners", "polygon=13,45;14,45"],
  ["a scene that is no id", "scene=<script>"],
  ["a tab that is none", "tab=settings"],
  ["a card that is none", "card=settings"],
  ["an opacity beyond 100", "opacity=101"],
  ["days to compare with that are none", "right=2024-02-30/2024-03-01"],
  ["a border beyond the map", "swipe=101"],
  ["a day of the timeline that is none", "day=2024-13-01"],
])("%s: left out of what is read", (_, hash) => {
  expect(parseState(hash)).toEqual({});
});

test("whatever is written after # is read without an exception", () => {
  fc.assert(fc.property(fc.string(), (text) => void parseState(text)));
});

test("listeners are called for the members they watch, once a change, and not for unchanged ones", () => {
  const store = new Store({
    preset: "a",
    collection: "c",
    from: "2024-01-01",
    to: "2024-01-02",
    cloud: 100,
    tab: "scenes",
    opacity: 100,
  });
  const heard: string[] = [];
  store.on(["preset", "cloud"], ({ preset, cloud }, before) => heard.push(`${before.preset} ${preset} ${cloud}`));
  store.set({ preset: "b", cloud: 20 });
  store.set({ tab: "values" });
  store.set({ cloud: 20 });
  expect(heard).toEqual(["a b 20"]);
});

test("upstreams that did not answer a page of a search are named, until it is asked again", async () => {
  const pages = [
    { features: [], links: [{ rel: "next", body: { token: "2" } }], "svc:upstreams_missing": ["usgs"] },
    { features: [], links: [], "svc:upstreams_missing": ["usgs", "pc"] },
    { features: [], links: [] },
  ];
  const scenes = new SceneSearch({ search: async () => pages.shift() } as unknown as Api);
  const view = { collection: "optical-sr", from: "2024-01-01", to: "2024-01-31", cloud: 100 } as ViewState;
  const box = [13, 45, 14, 46] as const;
  await scenes.search(view, box);
  expect(scenes.found.value?.missing).toEqual(["usgs"]);
  await scenes.more();
  expect(scenes.found.value?.missing).toEqual(["usgs", "pc"]);
  scenes.forget();
  await scenes.search(view, box);
  expect(scenes.found.value?.missing).toEqual([]);
});
