import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { TestService } from "../../apps/api/test/tools/harness.ts";
import { opaque, pixelsOf } from "../../apps/api/test/tools/images.ts";
import { memorySource, openCog, readWindow } from "../../packages/cog/src/index.ts";
import { serviceOver } from "./deployment.ts";
import { storedValues } from "./files/contents.ts";
import { CELLS, type Cell, type Outcome, STEPS, type Step } from "./outcomes.ts";
import { passPauses } from "./passed-pauses.ts";
import type { RecordedItem } from "./recordings.ts";
import { type Replay, startReplay } from "./server.ts";

const { SWATH_FIXTURES } = process.env;

interface Feature {
  readonly id: string;
  readonly collection: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, { readonly href: string; readonly "svc:band"?: string }>>;
  readonly links: readonly unknown[];
}

interface Page {
  readonly features: readonly Feature[];
  readonly numberMatched?: number;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

/** An item as it was recorded, where its middle is, and its day. */
interface Subject {
  readonly raw: RecordedItem;
  readonly lon: number;
  readonly lat: number;
  readonly day: string;
}

/** The result of a step; `detail` states it at length. */
interface Found {
  readonly outcome: Outcome;
  readonly detail?: string;
}

const OK: Found = { outcome: "ok" };

describe.skipIf(SWATH_FIXTURES === undefined)("a service over replayed archives", () => {
  let replay: Replay;
  let uninstall: () => void;
  let endPauses: () => void;
  beforeAll(async () => {
    endPauses = passPauses();
    replay = await startReplay({ fixtures: SWATH_FIXTURES ?? "" });
    uninstall = replay.install();
  });
  afterEach(() => replay.reset());
  afterAll(async () => {
    uninstall();
    await replay.close();
    endPauses();
  });

  describe.each(CELLS)("$collection of $archive ($upstreamCollection)", (cell) => {
    let service: TestService;
    let subject: Subject;
    beforeAll(async () => {
      service = await serviceOver(replay, cell);
      subject = subjectOf(replay, cell);
    });

    test.each(STEPS)("%s", async (step) => {
      const { outcome, detail } = await CHECKS[step](service, cell, subject);
      expect(outcome, detail).toBe("ok");
    });
  });

  test("counts what it shows of a collection that another one fills, where its gaps are searched too", async () => {
    const cell = CELLS.find(({ collection }) => collection === "sentinel-2-l2a") as Cell;
    const service = await serviceOver(replay, cell);
    const items = "/v1/collections/sentinel-2-l2a/items";
    for (const datetime of ["", "&datetime=2021-06-01/2024-12-31", "&datetime=2019-12-31/.."]) {
      const all = (await (await service.get(`${items}?limit=1000${datetime}`)).json()) as Page;
      expect(all.features.length).toBeGreaterThan(1);
      const page = (await (await service.get(`${items}?limit=1${datetime}`)).json()) as Page;
      expect([datetime, page.numberMatched]).toEqual([datetime, all.features.length]);
    }
  });
});

const CHECKS: Readonly<Record<Step, (service: TestService, cell: Cell, subject: Subject) => Promise<Found>>> = {
  search: async (service, { collection, item }, { lon, lat, day }) => {
    const box = [lon - 0.01, lat - 0.01, lon + 0.01, lat + 0.01].map((each) => each.toFixed(4));
    const response = await service.get(`/v1/search?collections=${collection}&datetime=${timesOf(day)}&bbox=${box}`);
    if (response.status !== 200) return refused(response);
    const { features } = (await response.json()) as Page;
    const ids = features.map(({ id }) => id);
    return ids.includes(item) ? OK : { outcome: "not found", detail: ids.join() };
  },

  pages: async (service, { collection, pages }) => {
    const seen: Feature[] = [];
    let path: string | undefined = `/v1/collections/${collection}/items?limit=1`;
    for (let page = 0; page < 3 && path !== undefined; page++) {
      const response: Response = await service.get(path);
      if (response.status !== 200) return refused(response);
      const { features, links } = (await response.json()) as Page;
      seen.push(...features);
      const next = links.find(({ rel }) => rel === "next")?.href;
      path = next === undefined ? undefined : next.slice(next.indexOf("/v1/"));
    }
    const detail = seen.map(({ id, properties }) => `${id} ${properties.datetime}`).join("\n");
    const times = seen.map(({ properties }) => Date.parse(String(properties.datetime)));
    if (new Set(seen.map(({ id }) => id)).size !== seen.length) return { outcome: "repeated", detail };
    if (times.some((time, i) => time > (times[i - 1] ?? Number.POSITIVE_INFINITY)))
      return { outcome: "out of order", detail };
    return seen.length === pages ? OK : { outcome: `${seen.length} pages`, detail };
  },

  item: async (service, { collection, item, band }, { raw, lon, lat }) => {
    const response = await service.get(`/v1/collections/${collection}/items/${item}`);
    if (response.status !== 200) return refused(response);
    const feature = (await response.json()) as Feature;
    expect([feature.id, feature.collection, Number.isFinite(lon + lat)]).toEqual([item, collection, true]);
    const time = Date.parse(String(feature.properties.datetime));
    if (time !== Date.parse(String(raw.properties.datetime))) return { outcome: "another time" };
    return feature.assets[band]?.["svc:band"] === band
      ? OK
      : { outcome: "no band", detail: Object.keys(feature.assets).join() };
  },

  tile: async (service, { collection, preset }, { lon, lat, day }) => {
    const zoom = 10;
    const size = 180 / 2 ** zoom;
    const [x, y] = [Math.floor((lon + 180) / size), Math.floor((90 - lat) / size)];
    const path = `/v1/tiles/${preset}/WorldCRS84Quad/${zoom}/${x}/${y}.png`;
    return image(await service.get(`${path}?collection=${collection}&datetime=${timesOf(day)}`));
  },

  preview: async (service, { collection, item }) =>
    image(await service.get(`/v1/collections/${collection}/items/${item}/preview.png?max_size=64`)),

  process: async (service, cell, subject) => {
    const { lon, lat, day } = subject;
    const [from, to] = timesOf(day).split("/");
    const response = await service.post("/v1/process", {
      input: {
        bounds: { bbox: [lon, lat, lon + 0.001, lat + 0.001] },
        data: [{ type: cell.collection, dataFilter: { timeRange: { from, to } } }],
      },
      bands: [cell.band],
      output: { width: 4, height: 4, crs: "EPSG:4326" },
    });
    if (response.status !== 200) return refused(response);
    const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
    const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width: 4, height: 4 });
    return values([...(bands[0] ?? [])], cell, subject);
  },

  series: async (service, cell, subject) => {
    const { collection, item, variable, band } = cell;
    const { lon, lat, day } = subject;
    const expression = encodeURIComponent(variable ?? band);
    const response = await service.get(
      `/v1/timeseries?lon=${lon}&lat=${lat}&datetime=${timesOf(day)}&collections=${collection}&expression=${expression}`,
    );
    if (response.status !== 200) return refused(response);
    const { series } = (await response.json()) as {
      series: { itemId: string; value: number | null; problem?: { status: number; code: string; detail: string } }[];
    };
    const detail = JSON.stringify(series);
    const row = series.find(({ itemId }) => itemId === item) ?? series[0];
    if (row === undefined) return { outcome: "not found", detail };
    if (row.problem !== undefined) return { outcome: `${row.problem.status} ${row.problem.code}`, detail };
    return row.value === null ? { outcome: "no value", detail } : values([row.value], cell, subject);
  },
};

/** The recorded item of a cell. */
function subjectOf({ world }: Replay, { archive, upstreamCollection, item }: Cell): Subject {
  const raw = world.upstreams[archive].items.find(
    ({ id, collection }) => id === item && collection === upstreamCollection,
  );
  if (raw === undefined) throw new RangeError(`No item ${item} of ${upstreamCollection} was recorded.`);
  const { type, coordinates } = raw.geometry as { type: string; coordinates: unknown[] };
  const ring = (type === "MultiPolygon" ? (coordinates[0] as unknown[])[0] : coordinates[0]) as [number, number][];
  // a corner stands at both ends
  const corners = ring.slice(1);
  const mean = (axis: 0 | 1): number => corners.reduce((sum, at) => sum + at[axis], 0) / corners.length;
  return { raw, lon: mean(0), lat: mean(1), day: String(raw.properties.datetime).slice(0, 10) };
}

const timesOf = (day: string): string => `${day}T00:00:00Z/${day}T23:59:59.999999Z`;

async function refused(response: Response): Promise<Found> {
  const text = await response.text();
  return { outcome: `${response.status} ${(JSON.parse(text) as { code: string }).code}`, detail: text };
}

/** Whether an image of scenes has pixels. */
async function image(response: Response): Promise<Found> {
  if (response.status !== 200) return refused(response);
  const skipped = response.headers.get("X-Scenes-Skipped") ?? "";
  return opaque(await pixelsOf(response)) > 0 ? OK : { outcome: "blank", detail: `skipped: ${skipped}` };
}

/** Whether values are ones that the file of the band holds. */
function values(found: readonly number[], { band, scaling }: Cell, { raw }: Subject): Found {
  const hrefs = Object.values(raw.assets).map(({ href }) => String(href));
  const file = hrefs.find((href) => fileOf(raw.id, band).test(href));
  if (file === undefined) throw new RangeError(`No file of ${raw.id} holds ${band}: ${hrefs.join()}`);
  const [scale, offset] = scaling ?? reflectanceOf(raw) ?? [1, 0];
  const held = storedValues(file).map((stored) => scale * stored + offset);
  const isHeld = (value: number): boolean => held.some((each) => Math.abs(each - value) <= 1e-5 * Math.max(1, each));
  const wrong = found.filter((value) => !isHeld(value));
  return wrong.length === 0 ? OK : { outcome: "other values", detail: `${found.join()} of ${held.join()}` };
}

/** Returns a pattern of the producer's name for the file of a band. */
function fileOf(id: string, band: string): RegExp {
  if (id.startsWith("HLS")) return /\.B04\.tif$/;
  if (id.startsWith("LM")) return /_B2\.TIF$/;
  if (id.startsWith("S1")) return /iw-vv\.rtc\.tiff$/;
  if (id.startsWith("Copernicus")) return /_DEM\.tif$/;
  return new RegExp(`${band}(_10m)?\\.(tif|TIF|jp2)$`);
}

/** Scale and offset of a scene of Level 1, by the factors that the replay writes into its document. */
function reflectanceOf({ id, properties }: RecordedItem): [number, number] | undefined {
  if (!id.startsWith("LM")) return undefined;
  const sine = Math.sin((Number(properties["view:sun_elevation"]) * Math.PI) / 180);
  return [0.002 / sine, -0.004 / sine];
}
