import { addProtocol, type Map as MapLibre } from "maplibre-gl";
import { problemFrom } from "../../api/problem-from.ts";
import { tileAddress } from "../far-time.ts";

/**
 * Scheme of the addresses of imagery, so that the page loads it with its key or token, with retries, and few at a time.
 */
const SCHEME = "imagery";

/** A tile that was not loaded; MapLibre reads `status`. */
export class TileError extends Error {
  override readonly name = "TileError";
  readonly code = "tile";
  readonly status: number | undefined;

  constructor(cause: unknown) {
    const { title, status } = problemFrom(cause);
    super(title, { cause });
    this.status = status;
  }
}

/** The address by which MapLibre asks {@link loadImagery} for imagery at `url`. */
export function imageryUrl(url: string): string {
  return `${SCHEME}://${url}`;
}

/** Loads imagery by `load`; what it throws reaches the map's `error` event as the cause of a {@link TileError}. */
export function loadImagery(load: (url: string, signal: AbortSignal) => Promise<Response>): void {
  addProtocol(SCHEME, async ({ url }, { signal }) => {
    try {
      const response = await load(tileAddress(url.slice(`${SCHEME}://`.length)), signal);
      const cacheControl = response.headers.get("Cache-Control");
      return { data: await response.arrayBuffer(), ...(cacheControl === null ? {} : { cacheControl }) };
    } catch (cause) {
      throw signal.aborted ? cause : new TileError(cause);
    }
  });
}

/** Marks the moment at which the first tile of imagery is on the map. */
export function markFirst(map: MapLibre, source: string): void {
  const mark = (event: { sourceId?: string; tile?: unknown }): void => {
    if (event.sourceId !== source || event.tile === undefined) return;
    map.off("sourcedata", mark);
    map.once("render", () => performance.mark("first-imagery"));
  };
  map.on("sourcedata", mark);
}
