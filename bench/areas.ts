import { CogCache, readWindow } from "../packages/cog/src/index.ts";
import { fileSource, nodeCodecs } from "../packages/cog/src/node.ts";
import { resolveCrs, transformer } from "../packages/raster/src/index.ts";
import { POINT_FILES, pointPath, SCENE_GRID } from "./data/plan.ts";
import { type BigCost, extractAlone, extractByGdal, extractHere } from "./extraction.ts";
import { costOf, cpuNow } from "./measure.ts";
import { RasterioPeer } from "./peers.ts";
import { type Bench, mb, ms, ratio, table } from "./table.ts";

/** Areas to GeoTIFF, each in a process of its own: ours with overviews, GDAL's without. */
export async function largeAreas({ directory, peers, quick, print }: Bench): Promise<void> {
  const rows: string[][] = [];
  const times = quick ? 1 : 3;
  for (const [name, side, type, multi] of [
    ["2500 × 2500 × 4 float32", 2500, "float32", false],
    ["2500 × 2500 × 4 DN", 2500, "uint16", false],
    ["10980 × 10980 × 4 DN", 10_980, "uint16", true],
  ] as const) {
    let ours: BigCost | undefined;
    let theirs: BigCost | undefined;
    let [alone, cold]: (BigCost | undefined)[] = [];
    for (let i = 0; i < times; i++) {
      ours = least(ours, await extractHere(directory, side, type));
      if (type === "float32") {
        alone = least(alone, await extractAlone(directory, side, false));
        cold = least(cold, await extractAlone(directory, side, true));
      }
      if (peers) theirs = least(theirs, await extractByGdal(directory, side, type, multi));
    }
    rows.push(row(name, ours, theirs));
    if (alone !== undefined) rows.push(row(`${name}, libraries alone, one thread`, alone, theirs));
    if (cold !== undefined) rows.push(row("the same from a cold start", cold, theirs));
  }
  print("## Areas to deflate GeoTIFF (gdalwarp: -multi -wo NUM_THREADS=2 for the largest)");
  print(
    table(["area", "ms", "CPU ms", "peak MB", "gdalwarp ms", "CPU ms", "peak MB", "ratio wall", "ratio CPU"], rows),
  );
}

function row(name: string, ours: BigCost | undefined, theirs: BigCost | undefined): string[] {
  if (ours === undefined) return [];
  const own = [name, ms(ours.wall), ms(ours.cpu), mb(ours.peak)];
  if (theirs === undefined) return [...own, "", "", "", "", ""];
  const { wall, cpu, peak } = theirs;
  return [...own, ms(wall), ms(cpu), mb(peak), ratio(ours.wall, wall), ratio(ours.cpu, cpu)];
}

function least(a: BigCost | undefined, b: BigCost): BigCost {
  if (a === undefined) return b;
  return { wall: Math.min(a.wall, b.wall), cpu: Math.min(a.cpu, b.cpu), peak: Math.max(a.peak, b.peak) };
}

/** One pixel from each of 60 files that are not open yet. */
export async function points({ directory, peers, quick, print }: Bench): Promise<void> {
  const peer = peers ? new RasterioPeer() : undefined;
  const paths = Array.from({ length: POINT_FILES }, (_, i) => pointPath(directory, i));
  const [col, row] = [5123, 6210];
  const { transform } = SCENE_GRID;
  const toDegrees = transformer(SCENE_GRID.crs, resolveCrs("EPSG:4326"));
  const [x, y] = toDegrees(transform[2] + (col + 0.5) * transform[0], transform[5] + (row + 0.5) * transform[4]);
  const [walls, cpus, theirWalls, theirs]: [number[], number[], number[], number[]] = [[], [], [], []];
  let values: number[] = [];
  let expected: unknown;
  for (let round = -1; round < (quick ? 5 : 15); round++) {
    const start = performance.now();
    const cpu = cpuNow();
    const headers = new CogCache({ maxBytes: 1e8 });
    values = await Promise.all(
      paths.map(async (path) => {
        const cog = await headers.open(fileSource(path), { codecs: nodeCodecs });
        return (await readWindow(cog, 0, { x: col, y: row, width: 1, height: 1 })).bands[0]![0]!;
      }),
    );
    const [wall, used] = [performance.now() - start, cpuNow() - cpu];
    const answer = await peer?.run({ op: "points", paths, x, y, times: 1 });
    if (round < 0) continue;
    walls.push(wall);
    cpus.push(used);
    if (answer === undefined) continue;
    theirWalls.push(answer.wall);
    theirs.push(answer.cpu);
    expected = answer.result;
  }
  peer?.close();
  if (expected !== undefined && JSON.stringify(expected) !== JSON.stringify(values.map((value) => [value])))
    throw new Error("rasterio reads other pixels.");
  const ours = costOf(walls, cpus);
  const other = theirs.length > 0 ? costOf(theirWalls, theirs) : undefined;
  print("## One pixel from 60 files");
  print(
    table(
      ["", "ms median", "p95", "CPU ms min", "rasterio ms median", "CPU ms min", "ratio wall", "ratio CPU"],
      [
        [
          "60 files",
          ms(ours.wallMedian),
          ms(ours.wallP95),
          ms(ours.cpuMin),
          other === undefined ? "" : ms(other.wallMedian),
          other === undefined ? "" : ms(other.cpuMin),
          ratio(ours.wallMedian, other?.wallMedian),
          ratio(ours.cpuMin, other?.cpuMin),
        ],
      ],
    ),
  );
}
