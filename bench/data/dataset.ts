import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { link, writeArchive } from "./archive.ts";
import {
  BANDS,
  FILES,
  type FileLayout,
  type FilePlan,
  LINKED_FILES,
  linkedPath,
  SCENE_LAYOUT,
  SCENES,
  SIDE,
  visualPath,
} from "./plan.ts";

/** Raised when the files would come out differently. */
const VERSION = 1;

export interface Dataset {
  readonly directory: string;
  /** Bytes of decoded level 0 per byte of the whole file, by file. */
  readonly ratios: Readonly<Record<string, number>>;
}

/** Makes the benchmark's archive in a folder that is kept between runs: about 2.6 GB, a minute on two cores. */
export async function makeDataset(print: (line: string) => void): Promise<Dataset> {
  const root = process.env.SWATH_BENCH_DIR ?? join(tmpdir(), "swath-bench");
  const directory = join(root, `v${VERSION}`);
  await mkdir(join(directory, "points"), { recursive: true });
  const missing = FILES.filter((plan) => !existsSync(join(directory, `${plan.name}.tif`)));
  if (missing.length > 0) {
    print(`Making ${missing.length} files of ${SIDE} × ${SIDE} in ${directory} ...`);
    for (const name of await readdir(directory)) if (name.endsWith(".part")) await rm(join(directory, name));
    const files = missing.map((plan) => ({ plan, layout: SCENE_LAYOUT, path: join(directory, `${plan.name}.tif`) }));
    await makeFiles(files, print);
  }
  for (const scene of SCENES.slice(2)) await link("s2-TCI.tif", visualPath(directory, scene));
  for (let i = 0; i < LINKED_FILES; i++) await link(`../s1-${BANDS[i % BANDS.length]}.tif`, linkedPath(directory, i));
  await writeArchive(directory);
  const ratios: Record<string, number> = {};
  for (const { name, kind } of FILES) {
    const { size } = await stat(join(directory, `${name}.tif`));
    // overviews add a third
    ratios[name] = (SIDE * SIDE * (kind === "visual" ? 3 : 2) * 1.33) / size;
  }
  return { directory, ratios };
}

/** A file to make. */
export interface PlannedFile {
  readonly plan: FilePlan;
  readonly layout: FileLayout;
  readonly path: string;
}

/** Makes files, one per core at a time. */
export async function makeFiles(files: readonly PlannedFile[], print: (line: string) => void): Promise<void> {
  const queue = [...files];
  const work = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const start = performance.now();
      await makeFile(file);
      print(`  ${file.plan.name}.tif  ${((performance.now() - start) / 1000).toFixed(1)} s`);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
}

function makeFile(file: PlannedFile): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./file-worker.ts", import.meta.url), { workerData: file });
    worker.once("message", () => resolve());
    worker.once("error", reject);
  });
}
