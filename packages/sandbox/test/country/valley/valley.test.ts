import { expect, test } from "vitest";
import { planScenes, type Truth, VALLEY } from "../../../src/index.ts";
import { truthAt } from "../../../src/truth.ts";

const { places } = VALLEY;
const at = (place: keyof typeof places, date: string): Truth => {
  const [lon, lat] = places[place];
  return truthAt(lon, lat, date);
};
const ndvi = (place: keyof typeof places, date: string): number => at(place, date).ndvi;
const nbr = ({ reflectance }: Truth): number =>
  (reflectance.nir08 - reflectance.swir22) / (reflectance.nir08 + reflectance.swir22);
const ndwi = ({ reflectance }: Truth): number =>
  (reflectance.green - reflectance.nir) / (reflectance.green + reflectance.nir);

/** Points of a raster over the valley, 100 m apart. */
function points(): (readonly [number, number])[] {
  const [west, south, east, north] = VALLEY.bbox;
  return Array.from({ length: 48 * 48 }, (_, i) => [
    west + ((east - west) * ((i % 48) + 0.5)) / 48,
    south + ((north - south) * (Math.floor(i / 48) + 0.5)) / 48,
  ]);
}
const share = (holds: (truth: Truth) => boolean, date: string): number =>
  points().filter(([lon, lat]) => holds(truthAt(lon, lat, date))).length / (48 * 48);

test("the valley has a scene every ten days or less for two years, and one of the last month", () => {
  const scenes = planScenes(new Date("2026-06-15")).filter(({ acquisition }) => acquisition.valley);
  const dates = scenes.map(({ acquisition }) => acquisition.date).sort();
  const days = dates
    .filter((date) => date < "2024")
    .concat(VALLEY.years)
    .map((date) => Date.parse(date) / 86_400_000)
    .sort((a, b) => a - b);
  expect(Math.max(...days.slice(1).map((day, i) => day - days[i]!))).toBeLessThanOrEqual(8);
  expect(dates.at(-1)! > "2026-05-15" && dates.at(-1)! <= "2026-06-02").toBe(true);
  expect(scenes.filter(({ acquisition }) => acquisition.date < "2024")).toHaveLength(164);
});

test("days of the two years do not depend on the day of the archive", () => {
  const fixed = (now: string) =>
    planScenes(new Date(now)).filter(({ acquisition }) => acquisition.valley && acquisition.date < "2024");
  expect(fixed("2027-01-01")).toEqual(fixed("2025-06-15"));
});

test("wheat is green in May, ripe in July and bare in autumn; maize a season later; both follow the rotation", () => {
  expect(ndvi("wheat", "2022-01-20")).toBeLessThan(0.5);
  expect(ndvi("wheat", "2022-05-16")).toBeGreaterThan(0.8);
  expect(ndvi("wheat", "2022-07-20")).toBeLessThan(0.3);
  expect(at("wheat", "2022-05-16").crop).toEqual({ name: "wheat", sown: "2021-10-22", harvested: "2022-07-24" });
  expect(ndvi("maize", "2022-05-01")).toBeLessThan(0.35);
  expect(ndvi("maize", "2022-07-15")).toBeGreaterThan(0.6);
  expect(ndvi("maize", "2022-10-20")).toBeLessThan(0.3);
  expect(at("wheat", "2023-08-01").crop?.name).toBe("maize");
  expect(at("maize", "2023-05-16").crop?.name).toBe("wheat");
  expect(at("rape", "2022-06-01").crop?.name).toBe("barley");
  expect(at("village", "2022-06-01").crop).toBeUndefined();
});

test("rape in bloom is brighter in green and red than before, and lucerne is cut four times a year", () => {
  const [before, bloom] = [at("rape", "2023-04-10").reflectance, at("rape", "2023-05-06").reflectance];
  expect(bloom.green).toBeGreaterThan(1.7 * before.green);
  expect(bloom.red).toBeGreaterThan(2.4 * before.red);
  const values = Array.from({ length: 240 }, (_, i) =>
    ndvi("lucerne", new Date(Date.UTC(2023, 2, 1 + i)).toISOString()),
  );
  expect(values.filter((value, i) => i > 0 && value < values[i - 1]! - 0.2)).toHaveLength(4);
});

test("grass and maize are less green in the dry summer of 2022 than in that of 2023", () => {
  expect(ndvi("meadow", "2022-08-29")).toBeLessThan(ndvi("meadow", "2023-08-29") - 0.07);
});

test("snow comes to the plain in two winters, lies on the hills for longer, and never under open crowns", () => {
  const snow = (truth: Truth): boolean => truth.class === "snow";
  expect(share(snow, "2023-01-21")).toBeGreaterThan(0.6);
  expect(share(snow, "2022-12-12")).toBeGreaterThan(0.6);
  expect(share(snow, "2022-01-06")).toBeGreaterThan(0.5);
  expect(share(snow, "2023-06-10")).toBe(0);
  expect(at("wheat", "2023-02-25").class).toBe("crop");
  expect(at("forest", "2023-01-21").class).toBe("forest");
});

test("the river floods a fifth of the valley in May 2023, and meadows need weeks to turn green again", () => {
  const water = (truth: Truth): boolean => truth.class === "water";
  const usual = share(water, "2023-05-06");
  expect(usual).toBeLessThan(0.03);
  const flooded = share(water, "2023-05-16") - usual;
  expect(flooded).toBeGreaterThan(0.18);
  expect(flooded).toBeLessThan(0.28);
  expect(share(water, "2023-05-21")).toBeLessThan(share(water, "2023-05-16") - 0.05);
  expect(share(water, "2023-06-15")).toBe(usual);
  for (const [date, isWater] of [
    ["2023-05-06", false],
    ["2023-05-16", true],
    ["2023-05-21", true],
    ["2023-05-26", false],
  ] as const) {
    const truth = at("meadow", date);
    expect([date, truth.class === "water", ndwi(truth) > 0]).toEqual([date, isWater, isWater]);
  }
  expect(ndvi("meadow", "2023-05-30")).toBeLessThan(ndvi("meadow", "2022-05-30") - 0.2);
  expect(ndvi("meadow", "2023-09-01")).toBeGreaterThan(0.6);
});

test("the fire burns 170 hectares of forest in August 2022, which turn green slowly", () => {
  const [before, after, later] = (["2022-08-09", "2022-08-19", "2023-08-14"] as const).map((date) =>
    nbr(at("burned", date)),
  ) as [number, number, number];
  expect(before - after).toBeGreaterThan(0.6);
  expect(later).toBeGreaterThan(after + 0.1);
  expect(later).toBeLessThan(before - 0.2);
  expect(at("burned", "2022-08-11").class).toBe("burned");
  expect(at("burned", "2022-08-10").class).toBe("forest");
  // the raster's points stand for one hectare of 4.9 km by 4.9 km each
  const burned = share((truth) => truth.class === "burned", "2022-08-19") * 4.91 * 4.9 * 100;
  expect(burned).toBeGreaterThan(155);
  expect(burned).toBeLessThan(190);
  expect(nbr(at("forest", "2022-08-09"))).toBeCloseTo(nbr(at("forest", "2022-08-19")), 5);
});

test("broad-leaved forest loses its leaves in winter", () => {
  expect(ndvi("forest", "2022-06-15")).toBeGreaterThan(0.8);
  expect(ndvi("forest", "2022-02-15")).toBeLessThan(0.5);
});
