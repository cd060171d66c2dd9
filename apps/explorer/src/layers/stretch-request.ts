import type { Preset, Schemas } from "../api/types.ts";
import type { Bbox } from "../geometry/area.ts";
import type { Custom, ViewState } from "../view/view.ts";

/** Percentiles that become the darkest and the lightest value. */
const LOW = 2;
const HIGH = 98;
/** Pixels along a side of the grid that is measured: enough for percentiles. */
const SIDE = 256;
const DIGITS = 4;

/** Whether a preset can be stretched: one value, or one band for each of three colours. */
export function canStretch(preset: Preset): boolean {
  return preset.hillshade === undefined && !(preset.expression ?? "").includes(";");
}

/** The body of `POST /v1/statistics` for the values of a preset in view. */
export function stretchRequest(
  preset: Preset,
  state: Pick<ViewState, "collection" | "from" | "to">,
  bbox: Bbox,
): Schemas["StatisticsRequest"] {
  return {
    input: {
      bounds: { bbox: [...bbox] },
      data: [{ type: state.collection, dataFilter: { mosaickingOrder: "leastCC" } }],
    },
    aggregation: { timeRange: { from: state.from, to: state.to }, width: SIDE, height: SIDE },
    ...(preset.expression === undefined ? { bands: [...preset.bands] } : { expression: preset.expression }),
    calculations: { default: { percentiles: [LOW, HIGH] } },
  };
}

/** Returns what is drawn between the percentiles; undefined where there are none. */
export function stretched(
  preset: Preset,
  colormap: string | undefined,
  { data }: Schemas["Statistics"],
): Custom | undefined {
  const [interval] = data;
  const ranges = Object.values(interval?.outputs ?? {}).map(({ stats }) => {
    const { percentiles = {} } = stats;
    const ends = Object.entries(percentiles)
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([, value]) => value);
    const [low, high] = [ends[0], ends.at(-1)];
    return low == null || high == null || low >= high ? undefined : `${short(low)},${short(high)}`;
  });
  if (ranges.length === 0 || ranges.includes(undefined)) return undefined;
  return {
    ...(preset.expression === undefined ? { bands: preset.bands.join(",") } : { expression: preset.expression }),
    rescale: ranges.join(","),
    ...(colormap === undefined ? {} : { colormap }),
  };
}

const short = (value: number): number => Number(value.toPrecision(DIGITS));
