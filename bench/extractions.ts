import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { comparison, type Measured } from "./comparison.ts";
import { BANDS, linkedBands } from "./data/plan.ts";
import { httpExtractions, jobExtractions } from "./extract-http.ts";
import {
  creationOptions,
  type ExtractionPlan,
  extentOf,
  gdalwarpProgram,
  launched,
  librariesProgram,
  type Program,
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
/**
 * Most pixels along a side of which a service makes a GeoTIFF while its client waits, and whose decoded blocks the
 * caches hold. A larger one is a background job.
 */
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
  const rounds = quick ? 2 : 5;
  const list: readonly Extraction[] = [
    { title: "2500 × 2500 × 4 float32", side: 2500, type: "float32", rounds },
    ...(quick
      ? []
      : ([
          { title: "2500 × 2500 × 4 uint16", side: 2500, type: "uint16", rounds },
          { title: "10980 × 10980 × 4 uint16", side: 10_980, type: "uint16", rounds },
        ] as const)),
  ];
  const folder = await mkdtemp(join(tmpdir(), "swath-bench-extractions-"));
  const [toFile, overHttp]: [Measured[], Measured[]] = [[], []];
  const pixels: string[] = [];
  try {
    for (const extraction of list) {
      const cold = `${extraction.title}, cold`;
      const codeWarm = `${extraction.title}, code warm`;
      const allWarm = `${extraction.title}, all warm`;
      const place = { directory, folder, extraction };
      progress(cold);
      const measured = [...(await coldRuns(place, cold, peers))];
      if (extraction.side > WARM_SIDE) {
        // loading and compiling are a small part of what takes seconds
        toFile.push(...measured);
        progress(`${extraction.title}, as a job`);
        const { side, type } = extraction;
        const job = await jobExtractions(directory, { side, type, rounds, out: join(folder, "job.tif") });
        overHttp.push({ task: cold, program: "Swath over HTTP, a job with the download", ...job });
        overHttp.push(...measured.filter(({ program }) => program.startsWith("gdalwarp")));
        continue;
      }
      for (const [task, before, names, keep] of [
        [codeWarm, others(0, WARM_UP), others(WARM_UP, rounds), false],
        [allWarm, again(WARM_UP), again(rounds), true],
      ] as const) {
        progress(task);
        measured.push(...(await warmRuns(place, task, { before, measured: names })));
        if (peers) measured.push(await warmRunsOfGdal(place, task, { before, measured: names }, keep));
      }
      toFile.push(...measured);
      if (peers) pixels.push(await differences(place));
      progress(`${extraction.title}, over HTTP`);
      const http = await httpExtractions(directory, extraction.side, extraction.type, rounds);
      for (const [task, runs, peak] of [
        [cold, http.cold, http.coldPeak],
        [codeWarm, http.codeWarm, http.peak],
        [allWarm, http.allWarm, http.peak],
      ] as const) {
        overHttp.push({ task, program: "Swath over HTTP, with the download", runs, peak });
        // programs that already write overviews are in the first table
        overHttp.push(...measured.filter((each) => each.task === task && /^gdal.*(GTiff|running)$/.test(each.program)));
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  print(`${rounds} rounds. Extractions that only warm up before the warm states: ${WARM_UP}, of every program.`);
  print();
  print(comparison(toFile, "MB"));
  if (pixels.length > 0) {
    print();
    for (const each of pixels) print(each);
  }
  print();
  print("Over HTTP, from the request to the last byte of the download, beside the same runs of GDAL to a file:");
  print();
  print(comparison(overHttp, "MB"));
}

/** The place of an extraction in its source and its target. */
interface Place {
  readonly directory: string;
  readonly folder: string;
  readonly extraction: Extraction;
}

type Files = Pick<ExtractionPlan, "before" | "measured">;

const planOf = ({ directory, folder, extraction: { side, type } }: Place, files: Files): ExtractionPlan => ({
  ...{ directory, side, type, out: join(folder, "swath.tif") },
  ...files,
});

/** Our programs: the second writes float32 alone. */
const programsOf = ({ type }: Extraction) =>
  [
    ["Swath, two render threads", swathProgram],
    ...(type === "float32" ? ([["Swath's libraries, one thread", librariesProgram]] as const) : []),
  ] as const;

/** Each program in a new process, in turns. */
async function coldRuns(place: Place, task: string, peers: boolean): Promise<readonly Measured[]> {
  const { directory, folder, extraction } = place;
  const { side, type, rounds } = extraction;
  const plan = planOf(place, { before: [], measured: [OWN] });
  const commands: { program: string; command: Program; out: string }[] = [];
  for (const [program, make] of programsOf(extraction)) {
    commands.push({ program, command: await make(plan), out: plan.out });
  }
  if (peers) {
    const input = await warpInput(directory, folder, type);
    for (const cog of [false, true]) {
      const out = join(folder, cog ? "gdal-cog.tif" : "gdal.tif");
      const command = gdalwarpProgram(input, side, type, out, cog);
      commands.push({ program: cog ? "gdalwarp to COG" : "gdalwarp to GTiff", command, out });
    }
  }
  const runs: (Run & { readonly peak: number })[][] = commands.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { command, out }] of commands.entries()) runs[i]!.push(await launched(command, out));
  }
  return commands.map(({ program }, i) => {
    const peak = Math.max(...runs[i]!.map((run) => run.peak));
    return { task, program, runs: runs[i]!, peak };
  });
}

/** Our programs, each in one process that makes one extraction after the other. */
async function warmRuns(place: Place, task: string, files: Files): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const [program, make] of programsOf(place.extraction)) {
    measured.push({ task, program, ...(await reportedRuns(await make(planOf(place, files)))) });
  }
  return measured;
}

/** GDAL in a Python process that makes one extraction after the other. @param keep its datasets stay open */
async function warmRunsOfGdal(place: Place, task: string, files: Files, keep: boolean): Promise<Measured> {
  const peer = new PythonPeer("gdal_extract.py", { GDAL_NUM_THREADS: "ALL_CPUS" });
  const warp = (names: readonly string[]): Promise<Run> =>
    peer.run({ ...warpOrder(place, names), out: join(place.folder, "gdal-warm.tif"), keep });
  for (const names of files.before) await warp(names);
  const runs: Run[] = [];
  for (const names of files.measured) runs.push(await warp(names));
  const peak = peakOf([peer.pid]);
  peer.close();
  return { task, program: "gdal.Warp in Python, running", runs, peak };
}

const warpOrder = ({ directory, extraction: { side, type } }: Place, names: readonly string[]) => ({
  op: "warp",
  paths: names.map((name) => join(directory, `${name}.tif`)),
  sampleType: type,
  ...extentOf(side),
  creation: creationOptions(type),
  warpMemory: WARP_MEMORY_MB,
});

/** Says how many samples of our file differ from those of the measured gdalwarp, and from those of an exact one. */
async function differences(place: Place): Promise<string> {
  const { folder, extraction } = place;
  const ours = join(folder, "swath.tif");
  const exact = join(folder, "gdal-exact.tif");
  const peer = new PythonPeer("gdal_extract.py");
  await peer.run({ ...warpOrder(place, OWN), out: exact, keep: false, errorThreshold: 0 });
  const shares: string[] = [];
  for (const path of [exact, join(folder, "gdal.tif")]) {
    const { result } = await peer.run({ op: "compare", files: [ours, path] });
    shares.push(`${(100 * Number(result)).toFixed(3)} %`);
  }
  peer.close();
  return (
    `${extraction.title}: ${shares[0]} of the samples differ from those of \`gdalwarp -et 0\`, ${shares[1]} from those of the measured ` +
    "gdalwarp, which may by default be off by an eighth of a pixel and is faster for it."
  );
}
