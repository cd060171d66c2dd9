interface Days {
  /** First and last day, `YYYY-MM-DD`, UTC. */
  readonly from: string;
  readonly to: string;
}

/** Members that the comparison and the timeline add to the view, and with them to the address. */
export interface CompareView {
  /** Days of the image at the right of the border; absent: nothing is compared. */
  readonly right?: Days | undefined;
  /** Preset of that image; absent: the one of the view. */
  readonly rightPreset?: string | undefined;
  /** Place of the border in percent of the map's width; absent: its middle. */
  readonly swipe?: number | undefined;
  /** The day that the timeline shows; absent: its first one. */
  readonly day?: string | undefined;
}

/** Names of its members, for what holds the view. */
export const COMPARE_MEMBERS = [
  "right",
  "rightPreset",
  "swipe",
  "day",
] as const satisfies readonly (keyof CompareView)[];

/** Place of the border where the view does not say one, percent. */
export const MIDDLE = 50;

/** Fields of the address, by name; undefined ones are left out. */
export function compareFields({ right, rightPreset, swipe, day }: CompareView): [string, string | undefined][] {
  return [
    ["right", right && `${right.from}/${right.to}`],
    ["right-preset", rightPreset],
    ["swipe", swipe === undefined ? undefined : String(swipe)],
    ["day", day],
  ];
}

const ID = /^[A-Za-z0-9_.-]{1,128}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether it is a day of the calendar: `2024-02-30`, which `Date` takes for the first of March, is none. */
export function isDay(text: string | null | undefined): text is string {
  const time = typeof text === "string" && DAY.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}

/** Reads the fields, possibly edited by hand: unusable ones are ignored. */
export function parseCompare(fields: URLSearchParams): CompareView {
  const [from, to] = fields.get("right")?.split("/") ?? [];
  const rightPreset = fields.get("right-preset") ?? "";
  const swipe = /^\d{1,3}$/.test(fields.get("swipe") ?? "") ? Number(fields.get("swipe")) : undefined;
  const day = fields.get("day");
  return {
    ...(isDay(from) && isDay(to) && from <= to ? { right: { from, to } } : {}),
    ...(ID.test(rightPreset) ? { rightPreset } : {}),
    ...(swipe === undefined || swipe > 100 ? {} : { swipe }),
    ...(isDay(day) ? { day } : {}),
  };
}
