// npm run bench -- --profiles: flame graphs of a start, of a tile that an account pays for, and of a first job.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataDirectory, makeKeys, PREFIX } from "./charges.ts";
import { archiveTimes, serviceDirectory } from "./data/archive.ts";
import { download, extractionBody, fileOfJob } from "./extract-http.ts";
import { addProfile, type CpuProfile, type Frame, flameGraph, frame, ownTimes } from "./flame-graph.ts";
import { requestImage } from "./http.ts";
import { tileAt } from "./jobs.ts";
import { type StartedService, startService } from "./servers.ts";

/** Microseconds between samples. */
const INTERVAL = 200;
const TILES = 1000;
/** Tiles before those that are looked at. */
const WARM_UP = 400;
const SIDE = 2500;

/** Microseconds on the clock of V8's profiles. */
const now = (): number => Number(process.hrtime.bigint() / 1000n);

/** Works that are looked at, by name: what is done with a service that has just started, until the returned moments. */
const works: Readonly<
  Record<string, { title: string; run(service: StartedService, paths: Paths): Promise<readonly [number, number]> }>
> = {
  start: {
    title: "From the launch to the first tile",
    run: async (service, { tiles, keys }) => {
      await ask(service, tiles[0]!, keys[0]!);
      return [0, now()];
    },
  },
  tile: {
    title: `${TILES} tiles at z14, each charged to an account, one after the other`,
    run: async (service, { tiles, keys }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const many = async (count: number): Promise<void> => {
        // accounts take turns, so that none meets its limit of requests per minute
        for (let i = 0; i < count; i++) await ask(service, tiles[i % tiles.length]!, keys[i % keys.length]!, agent);
      };
      await many(WARM_UP);
      const from = now();
      await many(TILES);
      const to = now();
      agent.destroy();
      return [from, to];
    },
  },
  job: {
    title: `The first job: ${SIDE} × ${SIDE} × 4 float32, with its download`,
    run: async (service, { body, keys }) => {
      const from = now();
      await download(await fileOfJob({ port: service.port, headers: { "X-API-Key": keys[0]! } }, body));
      return [from, now()];
    },
  },
};

interface Paths {
  readonly tiles: readonly string[];
  readonly body: string;
  readonly keys: readonly string[];
}

async function ask({ port }: StartedService, path: string, key: string, agent = new Agent()): Promise<void> {
  await requestImage({ port, headers: { "X-API-Key": key } }, path, agent);
}

/** The threads of a service, by the profiles that they wrote. */
async function threadsOf(folder: string, moments: readonly [number, number]): Promise<readonly Frame[]> {
  const threads: Frame[] = [];
  // CPU.date.time.process.thread.number.cpuprofile: thread 0 is the main one
  const names = (await readdir(folder)).sort((a, b) => a.split(".")[4]!.localeCompare(b.split(".")[4]!));
  for (const [i, name] of names.entries()) {
    const thread = frame(i === 0 ? "main thread" : `thread ${i}`);
    addProfile(thread, JSON.parse(await readFile(join(folder, name), "utf8")) as CpuProfile, moments);
    threads.push(thread);
  }
  return threads.filter(({ ms }) => ms > 0);
}

/** Writes `profile-start.svg`, `profile-tile.svg` and `profile-job.svg` into a folder, and prints the functions that took longest. */
export async function writeProfiles(directory: string, folder: string): Promise<void> {
  const { scenes } = await archiveTimes(directory);
  const tiles = Array.from({ length: 17 }, (_, i) => tileAt(14, (i % 4) - 2, Math.floor(i / 4) - 2)).map(
    ({ z, x, y }) =>
      `/v1/tiles/true-color/WebMercatorQuad/${z}/${x}/${y}.png?datetime=${encodeURIComponent(scenes[0]!)}`,
  );
  await mkdir(folder, { recursive: true });
  for (const [name, { title, run }] of Object.entries(works)) {
    const data = await dataDirectory(serviceDirectory(directory));
    const written = await mkdtemp(join(tmpdir(), "swath-profile-"));
    try {
      const keys = await makeKeys({ dataDir: data });
      const flags = ["--cpu-prof", `--cpu-prof-dir=${written}`, `--cpu-prof-interval=${INTERVAL}`];
      const env = { SWATH_KEY_PREFIX: PREFIX, SWATH_WARM_UP: "off" };
      // every start but the first finds compiled code
      await (await startService(data, env)).end();
      const service = await startService(data, env, flags);
      const moments = await run(service, { tiles, body: extractionBody(scenes[0]!, SIDE, "float32"), keys });
      await service.end();
      const threads = await threadsOf(written, moments);
      await writeFile(join(folder, `profile-${name}.svg`), flameGraph(title, threads));
      console.log(
        `${title}\n${ownTimes(threads)
          .slice(0, 25)
          .map(({ name: each, ms }) => `${ms.toFixed(1).padStart(8)} ms  ${each}`)
          .join("\n")}\n`,
      );
    } finally {
      for (const each of [data, written]) await rm(each, { recursive: true, force: true });
    }
  }
}
