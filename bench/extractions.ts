import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { comparison, type Measured } from "./comparison.ts";
import { BANDS, linkedBands } from "./data/plan.ts";
import { httpExtractions } from "./extract-http.ts";
import {
  creationOptions,
  type ExtractionPlan,
  extentOf,
  gdalwarpProgram,
  launched,
  librariesProgram,
  reportedRuns,
  swathProgram,
  WARP_MEMORY_MB,
  warpInput,
} from "./extract-programs.ts";
import { peakOf } from "./http.ts";
import type { SampleType } from "./jobs.ts";
import type { Run } from "./measure.ts";
import { PythonPeer } from "./peers.ts";
import type { Bench } from "./table.ts";

/** Extractions that only warm up, before the second and the third state. */
const WARM_UP = 3;
/** Most pixels a side of which a service makes a GeoTIFF while its client waits, and whose decoded blocks the caches hold. */
const WARM_SIDE = 2500;

interface Extraction {
  readonly title: string;
  readonly side: number;
  readonly type: SampleType;
  readonly rounds: number;
}

const OWN = BANDS.map((band) => `s1-${band}`);
const others = (from: number, count: number): readonly (readonly string[])[] =>
  Array.from({ length: count }, (_, i) => linkedBands(from + i));
const again = (count: number): readonly (readonly string[])[] => Array.from({ length: count }, () => OWN);

/** Extractions as GeoTIFF: cold, with warm code, and with decoded blocks; to a file and over HTTP. */
export async function extractions({ directory, peers, quick, print, progress }: Bench): Promise<void> {
  const list: readonly Extraction[] = [
    { title: "2500 × 2500 × 4 float32", side: 2500, type: "float32", rounds: quick ? 2 : 5 },
    ...(quick
      ? []
      : ([
          { title: "2500 × 2500 × 4 uint16", side: 2500, type: "uint16", rounds: 5 },
          { title: "10980 × 10980 × 4 uint16", side: 10_980, type: "uint16", rounds: 3 },
        ] as const)),
  ];
  const folder = await mkdtemp(join(tmpdir(), "swath-bench-extractions-"));
  const [toFile, overHttp]: [Measured[], Measured[]] = [[], []];
  const pixels: string[] = [];
  try {
    for (const extraction of list) {
      progress(extraction.title);
      const gdal = peers ? await gdalExtractions(directory, folder, extraction) : undefined;
      const cold = `${extraction.title}, cold`;
      const codeWarm = `${extraction.title}, code warm`;
      const allWarm = `${extraction.title}, all warm`;
      const own = await swathExtractions(directory, folder, extraction);
      const theirs = gdal?.measured ?? [];
      for (const task of [cold, codeWarm, allWarm]) {
        toFile.push(...own.filter((each) => each.task === task), ...theirs.filter((each) => each.task === task));
      }
      if (gdal !== undefined) pixels.push(`${extraction.title} ${await gdal.compare(join(folder, "swath.tif"))}`);
      gdal?.close();
      if (extraction.side > WARM_SIDE) continue; // the service makes larger ones in background jobs
      const http = await httpExtractions(directory, extraction.side, extraction.type, extraction.rounds);
      for (const [task, runs, peak] of [
        [cold, http.cold, http.coldPeak],
        [codeWarm, http.codeWarm, http.peak],
        [allWarm, http.allWarm, http.peak],
      ] as const) {
        overHttp.push({ task, program: "Swath over HTTP, with the download", runs, peak });
        // what already writes overviews is in the first table
        overHttp.push(...theirs.filter((each) => each.task === task && !each.program.includes("COG")));
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const rounds = list.map(({ title, rounds: count }) => `${count} of ${title}`).join(", ");
  print(`Rounds: ${rounds}. Extractions that only warm up before the warm states: ${WARM_UP}, of every program.`);
  print();
  print(comparison(toFile, "MB"));
  if (pixels.length > 0) {
    print();
    print(`Samples that differ from gdalwarp's: ${pixels.join("; ")}.`);
  }
  print();
  print("Over HTTP, from the request to the last byte of the download, beside the same runs of GDAL to a file:");
  print();
  print(comparison(overHttp, "MB"));
}

/** Our programs in the three states. */
async function swathExtractions(
  directory: string,
  folder: string,
  extraction: Extraction,
): Promise<readonly Measured[]> {
  const { title, side, type, rounds } = extraction;
  const out = join(folder, "swath.tif");
  const measured: Measured[] = [];
  const common = { directory, side, type, out };
  const coldPlan: ExtractionPlan = { ...common, before: [], measured: [OWN] };
  const codeWarmPlan: ExtractionPlan = { ...common, before: others(0, WARM_UP), measured: others(WARM_UP, rounds) };
  const allWarmPlan: ExtractionPlan = { ...common, before: again(WARM_UP), measured: again(rounds) };
  for (const [program, make] of [
    ["Swath, two render threads", swathProgram],
    ...(type === "float32" ? ([["Swath's libraries, one thread", librariesProgram]] as const) : []),
  ] as const) {
    const cold: (Run & { readonly peak: number })[] = [];
    for (let round = 0; round < rounds; round++) cold.push(await launched(await make(coldPlan), out));
    const peak = Math.max(...cold.map((run) => run.peak));
    measured.push({ task: `${title}, cold`, program, runs: cold, peak });
    if (side > WARM_SIDE) continue; // loading and compiling are a small part of what takes seconds
    measured.push({ task: `${title}, code warm`, program, ...(await reportedRuns(await make(codeWarmPlan))) });
    measured.push({ task: `${title}, all warm`, program, ...(await reportedRuns(await make(allWarmPlan))) });
  }
  return measured;
}

interface GdalExtractions {
  readonly measured: readonly Measured[];
  /** Says how many samples of one of our files are not the same as in the last one of gdalwarp. */
  compare(path: string): Promise<string>;
  close(): void;
}

/** GDAL in the three states: gdalwarp is a new process each time, the others are one Python process that keeps running. */
async function gdalExtractions(directory: string, folder: string, extraction: Extraction): Promise<GdalExtractions> {
  const { title, side, type, rounds } = extraction;
  const input = await warpInput(directory, folder, type);
  const out = join(folder, "gdal.tif");
  const measured: Measured[] = [];
  for (const cog of side > WARM_SIDE ? [false] : [true, false]) {
    const program = gdalwarpProgram(input, side, type, out, cog);
    const runs: (Run & { readonly peak: number })[] = [];
    for (let round = 0; round < rounds; round++) runs.push(await launched(program, out));
    const peak = Math.max(...runs.map((run) => run.peak));
    measured.unshift({ task: `${title}, cold`, program: cog ? "gdalwarp to COG" : "gdalwarp to GTiff", runs, peak });
  }
  const warmOut = join(folder, "gdal-warm.tif");
  for (const [task, before, names, keep] of [
    [`${title}, code warm`, others(0, WARM_UP), others(WARM_UP, rounds), false],
    [`${title}, all warm`, again(WARM_UP), again(rounds), true],
  ] as const) {
    if (side > WARM_SIDE) break;
    const peer = new PythonPeer("gdal_extract.py", { GDAL_NUM_THREADS: "ALL_CPUS" });
    const warp = (each: readonly string[]): Promise<Run> =>
      peer.run({
        op: "warp",
        paths: each.map((name) => join(directory, `${name}.tif`)),
        sampleType: type,
        ...extentOf(side),
        creation: creationOptions(type),
        warpMemory: WARP_MEMORY_MB,
        out: warmOut,
        keep,
      });
    for (const each of before) await warp(each);
    const runs: Run[] = [];
    for (const each of names) runs.push(await warp(each));
    measured.push({ task, program: "gdal.Warp in Python, running", runs, peak: peakOf([peer.pid]) });
    peer.close();
  }
  const judge = new PythonPeer("gdal_extract.py");
  return {
    measured,
    compare: async (path) => {
      const { result } = await judge.run({ op: "compare", files: [path, out] });
      return `${(100 * Number(result)).toFixed(4)} %`;
    },
    close: () => judge.close(),
  };
}
