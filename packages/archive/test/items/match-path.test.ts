import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillTemplate, matchPath, templateNames } from "../../src/items/match-path.ts";

describe("a path template", () => {
  test.each([
    ["{tile}_{date}_{band}.tif", "29RKH_20200219_B04.tif", { tile: "29RKH", date: "20200219", band: "B04" }],
    ["**/{scene}/{band}.tif", "a/b/S2A_29RKH/B04.tif", { scene: "S2A_29RKH", band: "B04" }],
    ["**/{band}.tif", "B04.tif", { band: "B04" }],
    [
      "HLS.{sensor}.{tile}.{date}.v2.0.{band}.tif",
      "HLS.S30.T35VLJ.2021168T100559.v2.0.B01.tif",
      { sensor: "S30", tile: "T35VLJ", date: "2021168T100559", band: "B01" },
    ],
    [
      "LC08_L2SP_{tile}_{date}_*_{band}.TIF",
      "LC08_L2SP_001062_20201031_20201106_02_T2_SR_B4.TIF",
      { tile: "001062", date: "20201031", band: "02_T2_SR_B4" },
    ],
  ])("%s finds the names in %s", (template, path, expected) => {
    expect(matchPath(template, path)).toEqual(expected);
  });

  test("takes for a name only what is accepted", () => {
    const path = "LC08_L2SP_001062_20201031_20201106_02_T2_SR_B4.TIF";
    const isBand = (name: string, text: string): boolean => name !== "band" || text === "SR_B4";
    expect(matchPath("LC08_L2SP_{tile}_{date}_*_{band}.TIF", path, isBand)?.band).toBe("SR_B4");
  });

  test.each([
    ["{band}.tif", "a/B04.tif"],
    ["{date}.tif", "20201345.tif"],
    ["{date}.tif", "2021400.tif"],
    ["{tile}/{band}.tif", "B04.tif"],
    ["{band}.tif", `${"a".repeat(2000)}.tif`],
  ])("%s does not fit %s", (template, path) => {
    expect(matchPath(template, path)).toBeUndefined();
  });

  test("finds again what it was filled with", () => {
    const text = fc.stringMatching(/^[A-Za-z0-9]{1,12}$/);
    fc.assert(
      fc.property(text, text, (tile, band) => {
        const template = "{tile}/x_{band}.tif";
        expect(matchPath(template, fillTemplate(template, { tile, band }))).toEqual({ tile, band });
      }),
    );
  });

  test("looks at each part of a hostile path once for each name of the template", () => {
    const names = [..."abcdefghijklmno"];
    const template = `${names.map((name) => `{${name}}a`).join("")}b`;
    const length = 255;
    // all parts of the path, from each place to each behind it
    const most = (names.length * length * (length + 1)) / 2;
    let asked = 0;
    const count = (): boolean => {
      asked += 1;
      if (asked > most) throw new Error(`More than ${most} parts are looked at.`);
      return true;
    };
    expect(matchPath(template, "a".repeat(length), count)).toBeUndefined();
    expect(asked).toBeGreaterThan(length);
    // stars go the same way
    expect(matchPath(`{a}*${"*a".repeat(14)}b`, "a".repeat(length))).toBeUndefined();
  });

  test("names its placeholders in their order", () => {
    expect(templateNames("**/{tile}_{date}_*_{band}.tif")).toEqual(["tile", "date", "band"]);
  });
});
