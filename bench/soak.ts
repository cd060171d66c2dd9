// Seeded random tiles, areas and cancelled requests over many scenes, for as long as requested; reports resident memory,
// handles and event-loop delay a minute at a time.
// node --conditions=@swath/source --expose-gc bench/soak.ts [MINUTES] [SEED]
import { readdirSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { RenderPool } from "../packages/engine/src/node.ts";
import type { ExtractJob } from "../packages/engine/src/run/extract/extract-job.ts";
import type { TileJob } from "../packages/engine/src/run/job.ts";
import type { SceneRead } from "../packages/engine/src/run/scene/scene-read.ts";
import { makeDataset } from "./data/dataset.ts";
import { BANDS } from "./data/plan.ts";
import { areaGrid, extractJob, gridSpec, type Kind, renderSettings, tileAt, tileJob } from "./jobs.ts";

const SCENES = 200;
const [minutes = "30", seed = "1"] = process.argv.slice(2);
const BAND_NAMES = BANDS.map((band) => `s1-${band}`);
const KINDS: readonly Kind[] = ["visual", "rgb16", "ndvi", "mosaic", "mosaic-edge"];

let state = Number(seed);
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}
const whole = (below: number): number => Math.floor(random() * below);

/** The same files under other names: to every cache they are other scenes. */
const renamed = (scene: SceneRead, n: number): SceneRead => ({
  ...scene,
  id: `${scene.id}-${n}`,
  files: scene.files.map((file) => ({
    ...file,
    href: file.href.replace("archive:", `archive:alias/${n}/`),
  })),
});

function randomTile(): TileJob {
  const z = 8 + whole(8);
  const span = Math.max(1, 2 ** (z - 9));
  const grid = gridSpec(tileAt(z, whole(2 * span + 1) - span, whole(2 * span + 1) - span), random() < 0.2 ? 512 : 256);
  const job = tileJob(KINDS[whole(KINDS.length)]!, grid, (["png", "jpg", "webp"] as const)[whole(3)]!);
  const n = whole(SCENES);
  return { ...job, scenes: job.scenes.map((scene) => renamed(scene, n)) };
}

function randomArea(path: string): ExtractJob {
  const side = 64 + whole(900);
  return extractJob(areaGrid(side), random() < 0.5 ? "float32" : "uint16", path, BAND_NAMES.slice(0, 1 + whole(4)));
}

const { directory } = await makeDataset(console.log);
for (let n = 0; n < SCENES; n++) {
  await mkdir(join(directory, "alias", String(n)), { recursive: true });
  for (const name of readdirSync(directory).filter((each) => each.endsWith(".tif"))) {
    await symlink(`../../${name}`, join(directory, "alias", String(n), name)).catch(() => {}); // there from the last run
  }
}
const folder = join(tmpdir(), `swath-soak-${process.pid}`);
await mkdir(folder, { recursive: true });
const pool = new RenderPool({ threads: 2, settings: { render: renderSettings(directory, 128 * 1_048_576) } });
const done = { tiles: 0, areas: 0, cancelled: 0, failed: 0 };
const end = performance.now() + Number(minutes) * 60_000;

async function client(n: number): Promise<void> {
  for (let i = 0; performance.now() < end; i++) {
    const controller = new AbortController();
    const { signal } = controller;
    const timer = random() < 0.15 ? setTimeout(() => controller.abort(), whole(60)) : undefined;
    try {
      if (random() < 0.03) {
        const path = join(folder, `${n}-${i}.tif`);
        await pool.extract(randomArea(path), { signal });
        await rm(path, { force: true });
        done.areas++;
      } else {
        await pool.render(randomTile(), { signal });
        done.tiles++;
      }
    } catch (error) {
      if (signal.aborted) done.cancelled++;
      else {
        done.failed++;
        if (done.failed < 5) console.error(error);
      }
    } finally {
      clearTimeout(timer);
    }
  }
}

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const megabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(0).padStart(6);
const handles = (): number => readdirSync("/proc/self/fd").length;
const start = performance.now();
console.log("minute   rss MB  handles  event-loop p99 ms   tiles  areas  cancelled  failed");
const report = setInterval(() => {
  globalThis.gc?.();
  const minute = (performance.now() - start) / 60_000;
  const p99 = (delay.percentile(99) / 1e6).toFixed(1);
  delay.reset();
  console.log(
    `${minute.toFixed(1).padStart(6)} ${megabytes(process.memoryUsage.rss())}  ${String(handles()).padStart(7)}  ${p99.padStart(17)}  ${String(done.tiles).padStart(6)} ${String(done.areas).padStart(6)} ${String(done.cancelled).padStart(10)} ${String(done.failed).padStart(7)}`,
  );
}, 30_000);
await Promise.all(Array.from({ length: 6 }, (_, n) => client(n)));
clearInterval(report);
await pool.close();
await rm(folder, { recursive: true, force: true });
console.log(
  `left over: ${readdirSync(folder.slice(0, folder.lastIndexOf("/"))).filter((name) => name.startsWith("swath-soak")).length} folders, ${handles()} handles`,
);
