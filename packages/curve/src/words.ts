import type { CurveDescription, CurveSeasons, CurveTrend, SmoothedCurve } from "./describe.ts";

/** Returns a description in words, one line for each part of it: dates are days of UTC. */
export function curveWords({ smooth, trend, season }: CurveDescription): string[] {
  return [
    ...(smooth === undefined ? [] : [smoothWords(smooth)]),
    ...(trend === undefined ? [] : [trendWords(trend)]),
    ...(season === undefined ? [] : seasonWords(season)),
  ];
}

const short = (value: number): string => String(Number(value.toPrecision(4)));
const day = (time: number): string => new Date(time).toISOString().slice(0, 10);

function smoothWords({ method, reason, values }: SmoothedCurve): string {
  const count = values.filter((value) => value !== null).length;
  return `Smoothed by ${method}: ${reason ?? `${count} values.`}`;
}

function trendWords({ slope, reason, confidence, mannKendall: { p } }: CurveTrend): string {
  if (slope === null) return `Trend: ${reason}`;
  const within = confidence === null ? "" : ` (95 %: ${confidence.map(short).join(" to ")})`;
  const said = p < 0.05 ? "a trend" : "not told from chance";
  return `Trend: ${slope > 0 ? "+" : ""}${short(slope)} a year${within}, Mann-Kendall p ${short(p)}: ${said}.`;
}

function seasonWords({ seasons, reason, threshold }: CurveSeasons): string[] {
  if (reason !== undefined) return [`Seasons: ${reason}`];
  return seasons.map(({ start, peak, end, peakValue, amplitude }, i) => {
    const ends = [start === null ? "before the interval" : day(start), end === null ? "after it" : day(end)];
    const number = `Season ${i + 1} of ${seasons.length} (threshold ${threshold})`;
    return `${number}: ${ends.join(" to ")}, peak ${short(peakValue)} on ${day(peak)}, amplitude ${short(amplitude)}.`;
  });
}
