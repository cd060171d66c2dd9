import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHART_SIZE, type ChartPoint, seriesChart } from "../src/series-chart.ts";
import { textOutline, textWidth } from "../src/text.ts";

const DAY = 86_400_000;
const FROM = Date.UTC(2024, 3, 1);
const TO = Date.UTC(2024, 9, 1);
const OPTIONS = {
  title: "NDVI at 13.3, 45.85",
  subtitle: "1 Apr 2024 to 1 Oct 2024",
  credit: "© ESA",
  from: FROM,
  to: TO,
};

interface Mark {
  readonly x: number;
  readonly y: number;
  readonly fill: string;
}
const numberOf = (tag: string, name: string): number => Number(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]);
/** Circles that carry words, which are observations; circles of the legend carry none. */
const marksOf = (svg: string): Mark[] =>
  [...svg.matchAll(/<circle[^/>]*>\s*<title>/g)].map(([tag]) => ({
    x: numberOf(tag, "cx"),
    y: numberOf(tag, "cy"),
    fill: /fill="([^"]*)"/.exec(tag)?.[1] ?? "",
  }));
const labelsOf = (svg: string): string[] => [...svg.matchAll(/aria-label="([^"]*)"/g)].map(([, label = ""]) => label);

/** Places of the value axis, read off the chart as people do: a number beside each horizontal rule. */
function valueAxis(svg: string): (value: number) => number {
  const rules = [...svg.matchAll(/<line ([^>]*)\/>\s*<path role="img" aria-label="([^"]*)"/g)].flatMap(
    ([, line = "", label]) =>
      // pieces of lines stand beside names
      numberOf(line, "y1") === numberOf(line, "y2") && /\d$/.test(label ?? "")
        ? [{ y: numberOf(line, "y1"), value: Number(label?.replace("−", "-")) }]
        : [],
  );
  const [first, last] = [rules[0], rules.at(-1)];
  if (first === undefined || last === undefined || first === last) throw new Error("Expected two rules.");
  return (value) => first.y + ((value - first.value) / (last.value - first.value)) * (last.y - first.y);
}

describe("a chart of a series", () => {
  const points: ChartPoint[] = [
    { time: FROM, value: 0.2, name: "sentinel-2-l2a" },
    { time: FROM + 40 * DAY, value: 0.8, name: "landsat-ot-l2" },
    { time: FROM + 90 * DAY, value: null, name: "sentinel-2-l2a" },
    { time: TO, value: 0.5, name: "sentinel-2-l2a" },
  ];
  const svg = seriesChart(points, OPTIONS);

  test("has each value where the axes say it is", () => {
    const y = valueAxis(svg);
    const marks = marksOf(svg).filter(({ fill }) => fill !== "none");
    expect(marks).toHaveLength(3);
    const [left, middle, right] = marks as [Mark, Mark, Mark];
    for (const [i, value] of [0.2, 0.8, 0.5].entries()) expect(marks[i]?.y).toBeCloseTo(y(value), 0);
    expect((middle.x - left.x) / (right.x - left.x)).toBeCloseTo((40 * DAY) / (TO - FROM), 3);
    expect(/<polyline points="([^"]*)"/.exec(svg)?.[1]).toBe(
      marks.map(({ x, y: height }) => `${x},${height}`).join(" "),
    );
  });

  test("shows masked observations as rings under the values, at their time", () => {
    const [ring] = marksOf(svg).filter(({ fill }) => fill === "none");
    const values = marksOf(svg).filter(({ fill }) => fill !== "none");
    const [first, last] = [values[0] as Mark, values.at(-1) as Mark];
    expect(((ring?.x ?? 0) - first.x) / (last.x - first.x)).toBeCloseTo((90 * DAY) / (TO - FROM), 3);
    expect(ring?.y).toBeGreaterThan(Math.max(...values.map(({ y }) => y)));
    expect(labelsOf(svg)).toContain("masked or missing (1)");
  });

  test("names sensors by color, months in words and the year where it begins", () => {
    const [first, second, last] = marksOf(svg).filter(({ fill }) => fill !== "none");
    expect(first?.fill).toBe(last?.fill);
    expect(first?.fill).not.toBe(second?.fill);
    expect(labelsOf(svg)).toEqual(
      expect.arrayContaining([OPTIONS.title, OPTIONS.subtitle, OPTIONS.credit, "sentinel-2-l2a", "landsat-ot-l2"]),
    );
    expect(labelsOf(svg)).toEqual(expect.arrayContaining(["Apr", "2024", "May", "Jun", "Jul", "Aug", "Sep"]));
    expect(labelsOf(svg).filter((label) => label === "2024")).toHaveLength(1);
  });

  test.each([
    ["days", 20, /^\d+ (Apr|May)$/],
    ["hours", 1, /^\d\d:00$/],
    ["years", 5000, /^20\d\d$/],
  ])("over %s has labels of that length", (_, days, form) => {
    const labels = labelsOf(seriesChart(points, { ...OPTIONS, to: FROM + Number(days) * DAY }));
    expect(labels.filter((label) => form.test(label)).length).toBeGreaterThanOrEqual(4);
  });

  test("without values says so, and has an axis all the same", () => {
    const masked = seriesChart([{ time: FROM, value: null, name: "x" }], OPTIONS);
    expect(labelsOf(masked)).toContain("No values");
    expect(valueAxis(masked)(0)).toBeGreaterThan(valueAxis(masked)(1));
    expect(labelsOf(seriesChart([], { ...OPTIONS, to: FROM }))).toContain("No values");
  });

  test.each([
    [3e8, /^[\d.]+e\+8$/],
    [2.5e-7, /^[\d.]+e-7$/],
    [20_000, /^\d\d,\d{3}$/],
  ])("of values about %d has short labels", (value, form) => {
    const labels = labelsOf(seriesChart([{ time: FROM, value, name: "x" }], OPTIONS));
    expect(labels.filter((label) => form.test(label)).length).toBeGreaterThanOrEqual(3);
  });

  test("draws lines where the axes say their values are, with gaps and dashes, and names them", () => {
    const line = [
      { time: FROM, value: 0.3 },
      { time: FROM + 40 * DAY, value: null },
      { time: FROM + 90 * DAY, value: 0.4 },
      { time: TO, value: 1.2 },
    ];
    const drawn = seriesChart(points, {
      ...OPTIONS,
      lines: [
        { name: "whittaker", points: line },
        { name: "trend", points: line.slice(2), isDashed: true },
      ],
      spans: [{ from: FROM + 40 * DAY, to: FROM + 90 * DAY }],
    });
    const y = valueAxis(drawn);
    const [left, middle] = marksOf(drawn).filter(({ fill }) => fill !== "none") as [Mark, Mark];
    const [ring] = marksOf(drawn).filter(({ fill }) => fill === "none") as [Mark];
    const [smooth = "", trend = ""] = [...drawn.matchAll(/<path d="([^"]*)" fill="none"/g)].map(([, d = ""]) => d);
    const places = [...smooth.matchAll(/([ML])([\d.]+),([\d.]+)/g)].map(([, move, x, height]) => [
      move,
      Number(x),
      Number(height),
    ]);
    expect(places.map(([move]) => move)).toEqual(["M", "M", "L"]);
    expect(places[0]).toEqual(["M", left.x, expect.closeTo(y(0.3), 0)]);
    expect(places[1]).toEqual(["M", ring.x, expect.closeTo(y(0.4), 0)]);
    // above all values: the axis reaches it
    expect(places[2]?.[2]).toBeCloseTo(y(1.2), 0);
    expect(trend).toBe(smooth.slice(smooth.indexOf("M", 1)));
    expect(drawn.match(/stroke-dasharray/g)).toHaveLength(2);
    expect(labelsOf(drawn)).toEqual(expect.arrayContaining(["whittaker", "trend"]));
    const span = /<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/.exec(drawn);
    expect([Number(span?.[1]), Number(span?.[2])]).toEqual([middle.x, expect.closeTo(ring.x - middle.x, 1)]);
  });

  test("without lines and spans is what it was", () => {
    expect(seriesChart(points, { ...OPTIONS, lines: [], spans: [] })).toBe(svg);
    expect(svg).not.toMatch(/dasharray|<title>trend/);
  });

  test("keeps every observation inside, and no text of others is markup", () => {
    const point = fc.record({
      time: fc.integer({ min: FROM, max: TO }),
      value: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      name: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(point, { maxLength: 20 }), fc.string(), (all, title) => {
        const drawn = seriesChart(all, { ...OPTIONS, title: `${title}</title><script>` });
        expect(drawn).not.toContain("<script>");
        const marks = marksOf(drawn);
        expect(marks).toHaveLength(all.length);
        for (const { x, y } of marks) {
          expect(x).toBeGreaterThan(0);
          expect(x).toBeLessThan(CHART_SIZE.width);
          expect(y).toBeGreaterThan(0);
          expect(y).toBeLessThan(CHART_SIZE.height);
        }
      }),
    );
  });
});

test("a text that is too long ends with an ellipsis within its width, and its name is whole", () => {
  const style = { x: 0, y: 0, size: 16, color: "#000" };
  const long = "a long line of credits, ".repeat(20);
  const { attributes } = textOutline(long, { ...style, maxWidth: 200 });
  const ends = [...(attributes.d ?? "").matchAll(/[ML](-?[\d.]+)/g)].map(([, x]) => Number(x));
  expect(Math.max(...ends)).toBeLessThanOrEqual(200);
  expect(Math.max(...ends)).toBeGreaterThan(170);
  expect(attributes["aria-label"]).toBe(long);
  expect(textWidth("WW", style)).toBeGreaterThan(2 * textWidth("i", style));
});
