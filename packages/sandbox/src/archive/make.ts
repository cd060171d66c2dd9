import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { createLandscape } from "../country/landscape.ts";
import { compareItems, toUpstreamItem } from "../items/items.ts";
import type { UpstreamItem } from "../items/upstream-item.ts";
import { DEFAULT_SEED, SANDBOX_VERSION } from "../scenes/plan.ts";
import { planScenes, SANDBOX_COLLECTIONS, type SandboxScene } from "../scenes/scenes.ts";
import { type ArchiveInfo, readArchiveInfo } from "./archive.ts";
import { createSurveyor, type SceneResult, writeScenes } from "./frame.ts";
import type { WorkerTask } from "./worker.ts";

/** The archive that is made, and options of making it. */
export interface MakeSandboxOptions {
  /** Default `DEFAULT_SEED`. An archive of another seed is made again. */
  readonly seed?: number;
  /**
   * The newest scenes are of the days before this one. Default: the present. An existing archive is kept if it was
   * made for the same day; without `now`, if it is at most 30 days old, so that a window of two months is never empty.
   */
  readonly now?: Date;
  /**
   * Render only the scenes of these frames (`SandboxScene.frame`), for tests that must be quick: `33TUL-native` and
   * `191028-native` take a second or two. Default: all.
   */
  readonly frames?: readonly string[];
  /** Render threads. Default: one per core, at most 4; 0 renders on the calling thread. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
  /** Called before the first scene, unless the archive is there already, and after each. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Makes the synthetic archive in `directory` unless it is there already. Everything is written beside it and moved into
 * place at the end: a run that was cut short leaves no half archive, and of two processes that start at once one wins
 * and both continue.
 *
 * @throws `signal.reason` when aborted; errors of the file system as they are.
 */
export async function makeSandbox(directory: string, options: MakeSandboxOptions = {}): Promise<ArchiveInfo> {
  const { seed = DEFAULT_SEED, signal } = options;
  const target = resolve(directory);
  const day = options.now?.toISOString().slice(0, 10);
  const now = day ?? new Date().toISOString().slice(0, 10);
  const frames = framesOf(now).filter((frame) => options.frames?.includes(frame) ?? true);
  const fits = (info: ArchiveInfo | undefined): info is ArchiveInfo =>
    info !== undefined &&
    info.seed === seed &&
    (day === undefined ? ageInDays(info.now, now) <= DAYS_KEPT : info.now === day) &&
    frames.every((frame) => info.frames.includes(frame));

  signal?.throwIfAborted();
  const present = await readArchiveInfo(target);
  if (fits(present)) return present;

  await mkdir(dirname(target), { recursive: true });
  const work = join(dirname(target), `.${basename(target)}-${randomUUID()}`);
  try {
    const info = await writeArchive({ directory: work, seed, now }, frames, options);
    return await putInPlace(work, target, info, fits);
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 3 });
  }
}

const DAYS_KEPT = 30;

function ageInDays(made: string, now: string): number {
  return (Date.parse(now) - Date.parse(made)) / 86_400_000;
}

/** Names of all frames of an archive, sorted. */
function framesOf(now: string): string[] {
  return [...new Set(planScenes(new Date(now)).map(({ frame }) => frame))].sort();
}

async function writeArchive(task: WorkerTask, frames: string[], options: MakeSandboxOptions): Promise<ArchiveInfo> {
  const { directory: work, seed, now } = task;
  const scenes = planScenes(new Date(now)).filter(({ frame }) => frames.includes(frame));
  options.onProgress?.(0, scenes.length);
  options.signal?.throwIfAborted();
  await mkdir(join(work, "items"), { recursive: true });
  const results = new Map<string, SceneResult>();
  await renderScenes(task, scenes, options, (result) => {
    results.set(result.id, result);
    options.onProgress?.(results.size, scenes.length);
  });
  const items: UpstreamItem[] = scenes.map((scene) => toUpstreamItem(scene, results.get(scene.id)!)).sort(compareItems);
  for (const collection of SANDBOX_COLLECTIONS) {
    const lines = items.filter((item) => item.collection === collection).map((item) => `${JSON.stringify(item)}\n`);
    await writeFile(join(work, "items", `${collection}.ndjson`), lines.join(""));
  }
  let bytes = 0;
  for (const { files } of results.values()) for (const { size } of Object.values(files)) bytes += size;
  const info: ArchiveInfo = {
    type: "swath-sandbox-archive",
    version: SANDBOX_VERSION,
    seed,
    now,
    collections: SANDBOX_COLLECTIONS,
    frames,
    items: items.length,
    bytes,
  };
  await writeFile(join(work, "archive.json"), `${JSON.stringify(info, undefined, 2)}\n`);
  return info;
}

/** Renders all scenes, frame by frame, on the given number of threads. */
async function renderScenes(
  task: WorkerTask,
  scenes: readonly SandboxScene[],
  { threads = Math.min(4, availableParallelism()), signal }: MakeSandboxOptions,
  onScene: (result: SceneResult) => void,
): Promise<void> {
  const shares = sharesOf(scenes);
  if (threads === 0) {
    const landscape = createLandscape(task.seed);
    const surveyor = createSurveyor(landscape);
    for (const share of shares) await writeScenes(task.directory, landscape, surveyor, share, onScene, signal);
    return;
  }
  const workers: Worker[] = [];
  try {
    const count = Math.min(threads, shares.length);
    const runs = Array.from({ length: count }, () => runWorker(task, shares, workers, onScene, signal));
    await Promise.all(runs);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** Scenes of a frame that a thread renders at a time. */
const SHARE = 16;

/**
 * Scenes by frame, in shares that threads take one by one: the largest frames first and the many small scenes of the valley
 * last, so that the threads end together.
 */
function sharesOf(scenes: readonly SandboxScene[]): SandboxScene[][] {
  const frames = new Map<string, SandboxScene[]>();
  for (const scene of scenes) frames.set(scene.frame, [...(frames.get(scene.frame) ?? []), scene]);
  const rank = ([frame, own]: [string, readonly SandboxScene[]]): number =>
    own[0]?.acquisition.valley ? 0 : own.length * (frame.startsWith("33") ? 3 : 1);
  return [...frames]
    .sort((a, b) => rank(b) - rank(a))
    .flatMap(([, own]) =>
      Array.from({ length: Math.ceil(own.length / SHARE) }, (_, i) => own.slice(i * SHARE, (i + 1) * SHARE)),
    );
}

function runWorker(
  task: WorkerTask,
  shares: SandboxScene[][],
  workers: Worker[],
  onScene: (result: SceneResult) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((done, fail) => {
    const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js";
    const worker = new Worker(new URL(file, import.meta.url), { workerData: task });
    workers.push(worker);
    const abort = (): void => fail(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const next = (): void => {
      const share = shares.shift();
      if (share === undefined) {
        signal?.removeEventListener("abort", abort);
        done();
      } else {
        worker.postMessage(share.map(({ id }) => id));
      }
    };
    worker.on("message", (message: SceneResult | "done") => {
      if (message === "done") next();
      else onScene(message);
    });
    worker.on("error", fail);
    worker.on("exit", (code) => fail(new Error(`A render thread ended early with code ${code}.`)));
    next();
  });
}

/** Renames a finished archive to its final path. Another process may have been faster: its archive is equal. */
async function putInPlace(
  work: string,
  target: string,
  info: ArchiveInfo,
  fits: (info: ArchiveInfo | undefined) => info is ArchiveInfo,
): Promise<ArchiveInfo> {
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      await rename(work, target);
      return info;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (!["ENOTEMPTY", "EEXIST", "EPERM", "ENOTDIR"].includes(code)) throw error;
    }
    const present = await readArchiveInfo(target);
    if (fits(present)) return present;
    // an archive of another kind, or a half one: moved aside first, so that no reader sees it shrink
    const old = `${work}-old`;
    await rename(target, old).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    await rm(old, { recursive: true, force: true, maxRetries: 3 });
  }
  throw new Error(`Could not move the archive to ${target}.`);
}
