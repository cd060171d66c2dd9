import { DEFAULT_EXCLUDED, resolveCollection } from "@swath/schema";
import { expect, test } from "vitest";
import { CLASS, HIDDEN, landsat, SCL } from "../../../../../test/tools/mask-classes.ts";
import { classNumbersTable } from "../../../src/run/scene/class-numbers.ts";
import { pseudoNumbers } from "../../../src/what/bands/pseudo-numbers.ts";

test("every value of SCL and of QA_PIXEL has the numbers that its classes give", { tags: ["X41"] }, () => {
  const tables = (id: string) => {
    const { mask } = resolveCollection(id);
    if (mask === undefined) throw new Error(`${id} has no mask`);
    return (["mask", "mask_class", "dataMask"] as const).map((gives) =>
      classNumbersTable(pseudoNumbers({ gives, of: mask, exclude: DEFAULT_EXCLUDED })),
    );
  };
  const [mask, classes, data] = tables("sentinel-2-l2a");
  for (let sample = 0; sample < 256; sample++) {
    const expected = SCL[sample] ?? CLASS.unclassified;
    const found = [mask?.[sample], classes?.[sample], data?.[sample]];
    expect(found, `SCL ${sample}`).toEqual([HIDDEN.includes(expected) ? 1 : 0, expected, sample === 0 ? 0 : 1]);
  }
  const qaPixel = resolveCollection("landsat-ot-l2").mask;
  // bits beyond those of the confidence of clouds have no meaning here: what a thread is sent stays short
  expect(qaPixel && pseudoNumbers({ gives: "mask", of: qaPixel, exclude: DEFAULT_EXCLUDED }).numbers).toHaveLength(
    1024,
  );
  const [hidden, bitClasses, filled] = tables("landsat-ot-l2");
  const wrong: number[] = [];
  for (let sample = 0; sample < 65_536; sample++) {
    const expected = landsat(sample);
    const isRight =
      hidden?.[sample] === Number(expected.hidden) &&
      bitClasses?.[sample] === expected.class &&
      filled?.[sample] === Number(expected.class !== CLASS.nodata);
    if (!isRight) wrong.push(sample);
  }
  expect(wrong).toEqual([]);
});
