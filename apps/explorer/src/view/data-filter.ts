import type { ViewState } from "./view.ts";

/** The scene that is on top where several have data. */
export type Order = "leastCC" | "mostRecent" | "leastRecent";

/** Selects the scenes that a request reads: the one shown alone, or the mosaic of the window. */
export function dataFilter(
  state: Pick<ViewState, "scene" | "from" | "to" | "cloud">,
  order: Order,
): Readonly<Record<string, unknown>> {
  if (state.scene !== undefined) return { ids: [state.scene] };
  return {
    timeRange: { from: `${state.from}T00:00:00Z`, to: `${state.to}T23:59:59.999999999Z` },
    mosaickingOrder: order,
    ...(state.cloud === 100 ? {} : { maxCloudCoverage: state.cloud }),
  };
}
