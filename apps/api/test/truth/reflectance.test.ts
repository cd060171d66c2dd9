import { toPhysical } from "@swath/mosaic";
import { bandScaling } from "@swath/schema";
import { bandAdjustment } from "@swath/schema/harmonization";
import { expect, test } from "vitest";
import { FULL } from "../tools/harness.ts";

const DN = Uint16Array.from({ length: 65_536 }, (_, i) => i);
const VALID = new Uint8Array(DN.length).fill(1);

/** The scalings and adjustments of all bands of all collections: of each platform, before and after baseline 04.00. */
const CONVERSIONS = FULL.registry.listed.flatMap((collection) =>
  collection.bands
    .filter(({ kind }) => kind === "spectral" || kind === "thermal")
    .flatMap((band) =>
      [undefined, ...collection.platforms].flatMap((platform) =>
        ["03.01", "05.11"].map((baseline) => {
          const properties = { platform, "s2:processing_baseline": baseline };
          const { scale, offset } = bandScaling(collection, band, properties);
          const adjusted = platform === undefined ? undefined : bandAdjustment(collection, band, properties);
          const adjust = adjusted && { slope: adjusted.slope, intercept: adjusted.offset };
          return { name: `${collection.id} ${band.name} ${platform} ${baseline}`, scale, offset, adjust };
        }),
      ),
    ),
);

test("images are made of the same numbers as when reflectance was DN × scale + offset: every DN of every band", {
  tags: ["ST21"],
}, () => {
  expect(CONVERSIONS.length).toBeGreaterThan(100);
  const known = new Set<string>();
  for (const { name, scale, offset, adjust } of CONVERSIONS) {
    const key = JSON.stringify([scale, offset, adjust]);
    if (known.has(key)) continue;
    known.add(key);
    const { slope, intercept } = adjust ?? { slope: 1, intercept: 0 };
    const [a, b] = [slope * scale, slope * offset + intercept];
    const before = Float32Array.from(DN, (dn) => dn * a + b);
    const now = toPhysical(DN, VALID, { scale, offset, ...(adjust === undefined ? {} : { adjust }) });
    // one band's adjustment made -1.4e-17 of what is 0
    const different = DN.filter((dn) => now[dn] !== before[dn] && Math.abs(before[dn]!) > 1e-16);
    expect([name, [...different].map((dn) => [dn, now[dn], before[dn]])]).toEqual([name, []]);
  }
  expect(known.size).toBeGreaterThan(20);
});
