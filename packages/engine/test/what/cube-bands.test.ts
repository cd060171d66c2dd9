import { describe, expect, test } from "vitest";
import { cubeCollection } from "../../src/what/cube-bands.ts";
import { registry } from "./registry.ts";

describe.each(registry.listed.map((collection) => [collection.id, collection] as const))("%s", (_, collection) => {
  const { bands, programs } = cubeCollection({ collection });

  test("cubes have every band, each with a program of its own", () => {
    expect(bands.map(({ name }) => name)).toEqual(
      (collection.virtual?.bands ?? collection.bands).map(({ name }) => name),
    );
    expect([...programs.keys()]).toEqual(bands.map(({ name }) => name));
    for (const [name, program] of programs) expect(program.names).toEqual([name]);
  });

  test("bands with physical values have these, at the collection's level; others are as they are stored", () => {
    for (const {
      bands: [band],
      units,
      harmonize,
      conversion,
    } of programs.values()) {
      const isPhysical = ["spectral", "thermal", "elevation", "backscatter"].includes(band!.kind);
      const isCoded = !isPhysical || conversion === "stored";
      expect([band!.name, conversion, units === "DN"]).toEqual([band!.name, isCoded ? "stored" : "physical", isCoded]);
      if (isCoded) expect(harmonize).toBe("none");
      if (!isPhysical) expect(conversion).toBe("stored");
    }
  });
});
