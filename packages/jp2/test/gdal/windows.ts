import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { allocateSamples, bytesPerSample, type Samples, type SampleType } from "@swath/raster";
import type { Jp2 } from "../../src/index.ts";

const PYTHON = "/usr/bin/python3";
const script = (name: string): string => join(import.meta.dirname, name);

/** Whether Debian's Python has GDAL with its JPEG 2000 driver. */
export const hasGdal: boolean =
  spawnSync(PYTHON, ["-c", "from osgeo import gdal; assert gdal.GetDriverByName('JP2OpenJPEG')"]).status === 0;

/** Writes the large test files into a folder; gives their names. */
export function writeLayouts(folder: string): string[] {
  return JSON.parse(execFileSync(PYTHON, [script("layouts.py"), folder], { encoding: "utf8" }));
}

/** A window of a level of a file. */
export interface Task {
  readonly path: string;
  readonly level: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** GDAL opens the file anew, with nothing decoded. */
  readonly fresh?: boolean;
}

/** Samples that GDAL reads, by task and band, and the milliseconds of a first and a second reading. */
export interface GdalRead {
  readonly bands: readonly (readonly Samples[])[];
  readonly times: readonly (readonly [first: number, second: number])[];
}

/** Reads windows with GDAL, in one thread. */
export function readWithGdal(tasks: readonly Task[], jp2s: ReadonlyMap<string, Jp2>): GdalRead {
  const { stdout, stderr, status } = spawnSync(PYTHON, [script("read_windows.py")], {
    input: JSON.stringify(tasks),
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(stderr.toString());
  let at = 0;
  const bands = tasks.map(({ path, width, height }) => {
    const { bandCount, sampleType } = jp2s.get(path)!;
    return Array.from({ length: bandCount }, () => {
      const samples = copyOf(stdout, at, sampleType, width * height);
      at += samples.byteLength;
      return samples;
    });
  });
  return { bands, times: JSON.parse(stderr.toString()) };
}

function copyOf(bytes: Buffer, at: number, type: SampleType, count: number): Samples {
  const samples = allocateSamples(type, count);
  const length = count * bytesPerSample(type);
  new Uint8Array(samples.buffer, samples.byteOffset, length).set(bytes.subarray(at, at + length));
  return samples;
}

/** Windows of random levels, sizes and places, the same for a seed. */
export function randomTasks(path: string, jp2: Jp2, levels: number, count: number, seed: number): Task[] {
  let state = seed;
  const random = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  return Array.from({ length: count }, () => {
    const level = random(levels);
    const { width, height } = jp2.levels[level]!;
    const x = random(width);
    const y = random(height);
    return {
      path,
      level,
      x,
      y,
      width: 1 + random(Math.min(400, width - x)),
      height: 1 + random(Math.min(400, height - y)),
    };
  });
}
