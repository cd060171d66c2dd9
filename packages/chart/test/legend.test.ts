import { expect, test } from "vitest";
import { LEGEND_SIZE, legendChart, rampTicks } from "../src/index.ts";

const labels = (svg: string): string[] => [...svg.matchAll(/aria-label="([^"]*)"/g)].map(([, text = ""]) => text);
const numbers = (svg: string, pattern: RegExp): number[] => [...svg.matchAll(pattern)].map(([, text]) => Number(text));

test("a ramp names its title with the unit, and round numbers at the places of their values", () => {
  const svg = legendChart({
    kind: "ramp",
    title: "Temperature",
    unit: "K",
    range: [270, 320],
    colors: ["#000", "#fff"],
  });
  expect(labels(svg)).toEqual(["Temperature (K)", "270", "280", "290", "300", "310", "320"]);
  // a bar of 288 pixels from 16 on: 10 K are a fifth of it
  expect(numbers(svg, /<line x1="([^"]*)"/g)).toEqual([16, 73.6, 131.2, 188.8, 246.4, 304]);
});

test("numbers below zero have the sign that keyboards have", () => {
  expect(rampTicks([-0.2, 0.8]).map(({ label }) => label)).toEqual(["-0.2", "0.0", "0.2", "0.4", "0.6", "0.8"]);
  expect(rampTicks([-(2 ** -1022), 2 ** -1022]).map(({ label }) => label)).toEqual(["-2.23e-308", "2.23e-308"]);
  expect(rampTicks([-1e308, 1e308]).map(({ label }) => label)).toEqual(["-1e+308", "1e+308"]);
  expect(rampTicks([0, 4e-7]).map(({ value }) => value)[1]).toBeCloseTo(1e-7, 9);
});

test("colors of a ramp stand at equal steps, the lowest on the left", () => {
  const svg = legendChart({ kind: "ramp", title: "a", range: [0, 1], colors: ["#010101", "#020202", "#030303"] });
  expect(numbers(svg, /offset="([^"]*)"/g)).toEqual([0, 0.5, 1]);
  expect([...svg.matchAll(/stop-color="([^"]*)"/g)].map(([, color]) => color)).toEqual([
    "#010101",
    "#020202",
    "#030303",
  ]);
});

test("channels are named beside their colors, and long names are shortened", () => {
  const svg = legendChart({
    kind: "channels",
    title: "False color",
    channels: [
      { color: "#ff0000", name: "nir" },
      { color: "#00ff00", name: "x".repeat(200) },
    ],
  });
  expect(labels(svg).slice(0, 2)).toEqual(["False color", "nir"]);
  expect(svg).toContain('fill="#00ff00"');
  expect(svg).toContain(`width="${LEGEND_SIZE.width}"`);
});
