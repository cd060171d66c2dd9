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

interface Answer {
  readonly count: number;
  readonly series: readonly { readonly value: number | null }[];
}

/** NDVI at a point over five years of two sensors, files behind a network: by a server that has just started, and again. */
export async function series({ directory, peers, quick, print, progress }: Bench): Promise<void> {
  const rounds = quick ? 1 : 3;
  const files = await startLatencyServer(directory);
  const origin = `http://127.0.0.1:${files.port}`;
  const requests = async (): Promise<number> => Number(await (await fetch(`${origin}/requests`)).text());
  const [left, top] = [SCENE_GRID.transform[2], SCENE_GRID.transform[5]];
  const [x, y] = [left + POINT[0], top - POINT[1]];
  const [lon, lat] = transformer(SCENE_GRID.crs, resolveCrs("EPSG:4326"))(x, y);
  const fresh: Run[] = [];
  const again: Run[] = [];
  const theirs: Run[] = [];
  const asked: number[] = [];
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1}`);
    const service = await seriesService(directory, origin, `swath-${round}`);
    const server = await startService(service, { SWATH_ASSET_HOSTS: "127.0.0.1" });
    const path = `/v1/timeseries?lon=${lon}&lat=${lat}&datetime=2000-01-01/..&index=ndvi`.replace(
      "2000-01-01",
      new Date(Date.now() - (OVERPASSES.days + 20) * 86_400_000).toISOString().slice(0, 10),
    );
    const ask = async (): Promise<{ run: Run; answer: Answer }> => {
      const [start, cpu] = [performance.now(), cpuOf([server.pid])];
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { "X-API-Key": "bench" } });
      const answer = (await response.json()) as Answer;
      if (response.status !== 200) throw new Error(JSON.stringify(answer));
      return { run: { wall: performance.now() - start, cpu: cpuOf([server.pid]) - cpu, bytes: 0 }, answer };
    };
    const before = await requests();
    const first = await ask();
    asked.push(await requests());
    asked.push(asked.pop()! - before);
    fresh.push(first.run);
    again.push((await ask()).run);
    server.close();
    if (first.answer.count !== OVERPASSES.sentinel + OVERPASSES.landsat) throw new Error("Overpasses are missing.");
    if (peers) {
      const peer = new PythonPeer("rasterio_render.py");
      const answer = await peer.run({ op: "series", scenes: await scenesOf(service, round), x, y, threads: THREADS });
      peer.close();
      check(answer.result as (number | null)[], first.answer);
      theirs.push(answer);
    }
  }
  files.close();
  const task = `${OVERPASSES.sentinel + OVERPASSES.landsat} overpasses behind ${LATENCY_MS} ms`;
  const measured: Measured[] = [
    { task, program: "Swath, just started", runs: fresh },
    ...(peers ? [{ task, program: `rasterio, ${THREADS} threads`, runs: theirs }] : []),
    { task: "the same again", program: "Swath", runs: again },
  ];
  const count = 3 * (OVERPASSES.sentinel + OVERPASSES.landsat);
  print(
    `NDVI at one point by \`GET /v1/timeseries\`: ${OVERPASSES.sentinel} scenes of Sentinel-2 and ${OVERPASSES.landsat} of Landsat, two bands and a mask of each, ${count} files with addresses of their own. ${rounds === 1 ? "One round" : `${rounds} rounds`}, each with a new server and a new Python process.`,
  );
  print();
  print(comparison(measured, "none"));
  print();
  print(`Swath asked ${(Math.max(...asked) / count).toFixed(2)} times a file.`);
}

/** What the other program reads: the same files under other addresses, with the coefficients of the collections. */
async function scenesOf(service: string, round: number): Promise<object[]> {
  const read = async (name: string) =>
    (await readFile(join(service, "sandbox/items", `${name}.ndjson`), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const path = (href: string): string => `/vsicurl/${href.replace(`swath-${round}-`, `rasterio-${round}-`)}`;
  const items = [...(await read("sentinel-2-c1-l2a")), ...(await read("landsat-c2-l2"))];
  return items
    .sort((a, b) => Date.parse(a.properties.datetime) - Date.parse(b.properties.datetime))
    .map(({ assets, properties: { platform } }) => {
      const { red, nir08, scl, qa_pixel: qa } = assets;
      const paths = [red, nir08, scl ?? qa].map(({ href }: { href: string }) => path(href));
      return scl === undefined
        ? { paths, scale: 0.0000275, offset: -0.2, adjust: IDENTITY, drop: [] }
        : {
            paths,
            scale: 0.0001,
            offset: -0.1,
            adjust: ADJUST[platform as keyof typeof ADJUST],
            drop: [0, 1, 3, 8, 9, 10],
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
