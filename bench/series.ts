import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { resolveCrs, transformer } from "../packages/raster/src/index.ts";
import { comparison, type Measured } from "./comparison.ts";
import { SCENE_GRID } from "./data/plan.ts";
import { OVERPASSES, seriesService } from "./data/series-archive.ts";
import { cpuOf } from "./http.ts";
import type { Run } from "./measure.ts";
import { PythonPeer } from "./peers.ts";
import { LATENCY_MS, startLatencyServer } from "./points.ts";
import { startService } from "./servers.ts";
import type { Bench } from "./table.ts";

/** Threads of the other program. */
const THREADS = 32;
/** Metres from the upper left corner of the scenes: in the middle of blocks of no sensor. */
const POINT = [54_321, 43_215] as const;
/** Upper left corner and edge of a square, metres: whole pixels of both sensors. */
const FIELD = [54_000, 43_200] as const;
const FIELD_SIDE = 4980;
/** Overpasses of the newest days, two thirds of them of Sentinel-2. */
const FIELD_OVERPASSES = 60;
const FIELD_DAYS = 191;
const DAY_MS = 86_400_000;
const KEY = { "X-API-Key": "bench" } as const;

/** A thread that has no overpass of the newest days loads its code meanwhile. */
const LOADING_MS = 1000;

interface Answer {
  readonly count: number;
  readonly series: readonly { readonly value: number | null }[];
}

/** A series that a new server of the service answers twice, and a new process of the other program computes. */
interface Task {
  readonly name: string;
  /** Milliseconds before now at which the series begins. */
  readonly since: number;
  readonly count: number;
  /** Sends the request; `datetime` is its interval. */
  readonly send: (base: string, datetime: string) => Promise<Response>;
  readonly order: (scenes: readonly SeriesScene[]) => object;
}

/** Runs a task, and checks that both programs give the same values. */
async function measureTask(
  { directory, peers, quick, progress }: Bench,
  origin: string,
  { name, since, count, send, order }: Task,
): Promise<{ readonly measured: readonly Measured[]; readonly requests: number }> {
  const requests = async (): Promise<number> => Number(await (await fetch(`${origin}/requests`)).text());
  const [fresh, again, theirs]: [Run[], Run[], Run[]] = [[], [], []];
  let most = 0;
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    progress(`${name}, round ${round + 1}`);
    const run = `swath-${Date.now()}`;
    const service = await seriesService(directory, origin, run);
    const server = await startService(service, { SWATH_ASSET_HOSTS: "127.0.0.1" });
    const base = `http://127.0.0.1:${server.port}`;
    const datetime = `${new Date(Date.now() - since).toISOString().slice(0, 19)}Z/..`;
    const ask = async (): Promise<{ run: Run; answer: Answer }> => {
      const [start, cpu] = [performance.now(), cpuOf([server.pid])];
      const response = await send(base, datetime);
      const answer = (await response.json()) as Answer;
      if (response.status !== 200) throw new Error(JSON.stringify(answer));
      return { run: { wall: performance.now() - start, cpu: cpuOf([server.pid]) - cpu, bytes: 0 }, answer };
    };
    // every program has loaded its code before
    await loadCode(base);
    const before = await requests();
    const first = await ask();
    most = Math.max(most, (await requests()) - before);
    fresh.push(first.run);
    again.push((await ask()).run);
    server.close();
    if (first.answer.count !== count) throw new Error(`Expected ${count} overpasses, got ${first.answer.count}.`);
    if (peers) {
      const peer = new PythonPeer("rasterio_render.py");
      const scenes = (await scenesOf(service, run)).slice(-count);
      const answer = await peer.run({ ...order(scenes), threads: THREADS });
      peer.close();
      check(answer.result as (number | null)[], first.answer);
      theirs.push(answer);
    }
  }
  const measured = [
    { task: name, program: "Swath, nothing read yet", runs: fresh },
    ...(peers ? [{ task: name, program: `rasterio, ${THREADS} threads`, runs: theirs }] : []),
    { task: `${name}, again`, program: "Swath", runs: again },
  ];
  return { measured, requests: most };
}

/** NDVI at a point over five years of two sensors, and of a field over half a year, files behind a network. */
export async function series(bench: Bench): Promise<void> {
  const { directory, quick, print } = bench;
  const files = await startLatencyServer(directory);
  const { origin } = files;
  const [left, top] = [SCENE_GRID.transform[2], SCENE_GRID.transform[5]];
  const toDegrees = transformer(SCENE_GRID.crs, resolveCrs("EPSG:4326"));
  const [x, y] = [left + POINT[0], top - POINT[1]];
  const [lon, lat] = toDegrees(x, y);
  const all = OVERPASSES.sentinel + OVERPASSES.landsat;
  const point = await measureTask(bench, origin, {
    name: `a point, ${all} overpasses`,
    since: (OVERPASSES.days + 20) * DAY_MS,
    count: all,
    send: (base, datetime) =>
      fetch(`${base}/v1/timeseries?lon=${lon}&lat=${lat}&datetime=${datetime}&index=ndvi`, { headers: KEY }),
    order: (scenes) => ({ op: "series", scenes, x, y }),
  });
  const bounds = [left + FIELD[0], top - FIELD[1] - FIELD_SIDE, left + FIELD[0] + FIELD_SIDE, top - FIELD[1]] as const;
  const [west, south, east, north] = bounds;
  const ring = [toDegrees(west, south), toDegrees(east, south), toDegrees(east, north), toDegrees(west, north)];
  const geometry = { type: "Polygon", coordinates: [[...ring, ring[0]]] };
  const field = await measureTask(bench, origin, {
    name: `${((FIELD_SIDE / 1000) ** 2).toFixed(1)} km², ${FIELD_OVERPASSES} overpasses`,
    since: FIELD_DAYS * DAY_MS,
    count: FIELD_OVERPASSES,
    send: (base, datetime) =>
      fetch(`${base}/v1/timeseries`, {
        method: "POST",
        headers: { ...KEY, "Content-Type": "application/json" },
        body: JSON.stringify({ geometry, datetime, index: "ndvi" }),
      }),
    order: (scenes) => ({ op: "field", scenes, bounds }),
  });
  files.close();
  print(
    `NDVI by \`/v1/timeseries\`: two bands and a mask of each scene, files with addresses of their own, by TLS behind ${LATENCY_MS} ms. At a point ${OVERPASSES.sentinel} scenes of Sentinel-2 and ${OVERPASSES.landsat} of Landsat, ${3 * all} files; the mean in a square two thirds of ${FIELD_OVERPASSES} of Sentinel-2, at 20 m, and a third of Landsat, at 30 m. ${quick ? "One round" : "5 rounds"}, each with a new server, whose threads run, and a new Python process.`,
  );
  print();
  print(comparison([...point.measured, ...field.measured], "none"));
  print();
  print(`For the point Swath asked ${(point.requests / (3 * all)).toFixed(2)} times a file.`);
}

/** Waits until the render threads run: a series of the newest days at another point, whose files are few. */
async function loadCode(base: string): Promise<void> {
  const day = new Date(Date.now() - 12 * DAY_MS).toISOString().slice(0, 10);
  const [left, top] = [SCENE_GRID.transform[2], SCENE_GRID.transform[5]];
  const [lon, lat] = transformer(SCENE_GRID.crs, resolveCrs("EPSG:4326"))(left + 90_000, top - 90_000);
  const path = `/v1/timeseries?lon=${lon}&lat=${lat}&datetime=${day}/..&index=ndvi`;
  const response = await fetch(`${base}${path}`, { headers: KEY });
  if (!response.ok) throw new Error(await response.text());
  await new Promise((resolve) => setTimeout(resolve, LOADING_MS));
}

/** A scene as the other program reads it. */
interface SeriesScene {
  /** Red, near infrared, mask. */
  readonly paths: readonly string[];
  readonly scale: number;
  readonly offset: number;
  /** Slope and offset of red and near infrared. */
  readonly adjust: readonly (readonly [number, number])[];
  /** Samples of the mask whose pixels are dropped. */
  readonly drop: readonly number[];
  /** Pixels of the edge of the square. */
  readonly size: number;
}

/**
 * Returns the scenes that the other program reads: the same files under other addresses, with the coefficients of the
 * collections; oldest first.
 */
async function scenesOf(service: string, run: string): Promise<SeriesScene[]> {
  const read = async (name: string) =>
    (await readFile(join(service, "sandbox/items", `${name}.ndjson`), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const path = (href: string): string => `/vsicurl/${href.replace(run, run.replace("swath", "rasterio"))}`;
  const items = [...(await read("sentinel-2-c1-l2a")), ...(await read("landsat-c2-l2"))];
  return items
    .sort((a, b) => Date.parse(a.properties.datetime) - Date.parse(b.properties.datetime))
    .map(({ assets, properties: { platform } }) => {
      const { red, nir08, scl, qa_pixel: qa } = assets;
      const paths = [red, nir08, scl ?? qa].map(({ href }: { href: string }) => path(href));
      return scl === undefined
        ? { paths, scale: 0.0000275, offset: -0.2, adjust: IDENTITY, drop: [], size: FIELD_SIDE / 30 }
        : {
            paths,
            scale: 0.0001,
            offset: -0.1,
            adjust: ADJUST[platform as keyof typeof ADJUST],
            drop: [0, 1, 3, 8, 9, 10],
            size: FIELD_SIDE / 20,
          };
    });
}

const IDENTITY = [
  [1, 0],
  [1, 0],
] as const;
/** Slope and offset of red and narrow near infrared: HLS v2.0 user guide. */
const ADJUST = {
  "sentinel-2a": [
    [0.9765, 0.0009],
    [0.9983, -0.0001],
  ],
  "sentinel-2b": [
    [0.9761, 0.001],
    [0.9966, 0],
  ],
} as const;

function check(theirs: readonly (number | null)[], { series: ours }: Answer): void {
  const differs = ours.findIndex(({ value }, i) => Math.abs((value ?? 9) - (theirs[i] ?? 9)) > 1e-9);
  if (differs >= 0) throw new Error(`Value ${differs}: Swath ${ours[differs]?.value}, rasterio ${theirs[differs]}.`);
}
