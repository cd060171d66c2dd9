import { gridFromBounds, resolveCrs, transformer } from "@swath/raster";
import { createTruth, responseOfMsi, sensorReflectance } from "@swath/sandbox";
import { readArchiveInfo } from "@swath/sandbox/node";
import { expect, inject, test } from "vitest";
import { ndviOfField } from "./ndvi.ts";

test("NDVI of a field is the truth for both sensors, before and after the change of offset", async () => {
  const archive = inject("sandbox");
  const [west, south, east, north] = [13.4, 45.7, 13.46, 45.74];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ] as const;
  const crs = resolveCrs("EPSG:32633");
  const grid = gridFromBounds(crs, [375400, 5061800, 380200, 5066500], 48, 47);
  const observations = await ndviOfField(archive, { type: "Polygon", coordinates: [ring] }, grid);
  const at = (date: string) => observations.find((each) => each.date === date);

  const truth = createTruth((await readArchiveInfo(archive)) ?? {});
  const toLonLat = transformer(crs, resolveCrs("EPSG:4326"));
  const mean = (date: string): number => {
    const platform = at(date)?.platform ?? "";
    const response = platform.startsWith("sentinel-2") ? responseOfMsi(platform) : "oli";
    const values: number[] = [];
    for (let y = 5061850; y < 5066500; y += 100) {
      for (let x = 375450; x < 380200; x += 100) {
        const [lon, lat] = toLonLat(x, y);
        if (!(lon > west && lon < east && lat > south && lat < north)) continue;
        const { nir, red } = sensorReflectance(truth(lon, lat, date), response);
        values.push((nir - red) / (nir + red));
      }
    }
    return values.reduce((sum, value) => sum + value) / values.length;
  };
  const days = ["2021-07-05", "2021-07-13", "2024-07-04", "2024-07-05"];
  expect(days.map((day) => at(day)?.platform)).toEqual(["sentinel-2a", "landsat-8", "sentinel-2b", "landsat-8"]);
  for (const day of days) expect(Math.abs((at(day)?.ndvi ?? 0) - mean(day)), day).toBeLessThan(0.02);
});
