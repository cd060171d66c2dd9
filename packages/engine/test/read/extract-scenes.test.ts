import type { Item } from "@swath/catalog";
import { expect, test } from "vitest";
import { productOfScenes } from "../../src/read/extract-scenes.ts";
import { productOf } from "../../src/what/product.ts";
import { matchOf } from "../what/registry.ts";

const LANDSAT = matchOf("landsat-ot-l2");

test("bands that the service chose are those that every scene has; named ones stay", () => {
  const without = (name: string): Item => {
    const { bands } = LANDSAT.collection;
    const assets = bands.flatMap((band) => (band.name === name ? [] : [[band.asset ?? band.name, { href: "a.tif" }]]));
    return { id: "a", assets: Object.fromEntries(assets), properties: {} } as unknown as Item;
  };
  const all = productOf(LANDSAT, {});
  const found = productOfScenes(all, [without("ST_B10"), without("SR_B1")]);
  expect(all.names.filter((name) => !found.names.includes(name)).sort()).toEqual(["SR_B1", "ST_B10"]);
  expect([found.names, found.paths.length]).toEqual([found.bands.map(({ name }) => name), found.bands.length]);
  const named = productOf(LANDSAT, { bands: ["ST_B10"] });
  expect(productOfScenes(named, [without("ST_B10")])).toBe(named);
});
