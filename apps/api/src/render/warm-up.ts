import { setImmediate as turn } from "node:timers/promises";
import { memorySource } from "@swath/cog";
import { deflateRuns, encodeGeoTiff } from "@swath/encode";
import { gridFromBounds, resolveCrs, type Samples, TILE_MATRIX_SETS, tileGrid, transformer } from "@swath/raster";
import { createDrawer, type Drawer } from "./draw.ts";
import type { GridSpec, ImageFormat, StyleSpec, TileJob } from "./job.ts";
import { gridSpec } from "./tile-plan.ts";

/** Edge of the made-up scene, pixels of 10 m. */
const SIDE = 1024;
const [WEST, NORTH] = [500_000, 5_600_000];
const SCENE = gridFromBounds(resolveCrs("EPSG:32633"), [WEST, NORTH - 10 * SIDE, WEST + 10 * SIDE, NORTH], SIDE, SIDE);
/** Zooms at which the scene's own pixels are drawn, and those of an overview. */
const ZOOMS = [14, 12];
const BLOCKS_BYTES = 16 << 20;

const STYLES: readonly {
  readonly names: readonly string[];
  readonly style: StyleSpec;
  readonly formats: ImageFormat[];
}[] = [
  { names: ["visual"], style: { resampling: "bilinear" }, formats: ["png", "jpg"] },
  { names: ["b1", "b2", "b3"], style: { resampling: "bilinear", rescale: [[0, 4000]] }, formats: ["png"] },
  {
    names: ["b1", "b2"],
    style: {
      resampling: "bilinear",
      expression: "(b1-b2)/(b1+b2)",
      variables: ["b1", "b2"],
      rescale: [[-1, 1]],
      colormap: "rdylgn",
    },
    formats: ["png"],
  },
];

/**
 * Draws tiles of a made-up scene, so that the engine has compiled what draws real ones before they are asked for: a server
 * that has just started would else need twice its time for the first hundreds. Works only in `quiet` moments, a few
 * milliseconds at a time, `rounds` times each drawing; nothing of it stays.
 *
 * @param quiet resolves when there is nothing else to do; false: there is no need any more
 */
export async function warmUp(quiet: () => Promise<boolean>, rounds = 40): Promise<void> {
  const files = new Map<string, Uint8Array>();
  for (const [name, bands] of madeUpScene()) {
    if (!(await quiet())) return;
    files.set(name, await encode(bands));
  }
  const sources = { assetHosts: [], s3: { region: "" } };
  const drawer = createDrawer({ sources, blockCacheBytes: BLOCKS_BYTES }, (href) =>
    memorySource(files.get(href)!, href),
  );
  for (let round = 0; round < rounds; round++) {
    for (const job of jobs()) {
      if (!(await quiet())) return;
      await draw(drawer, job);
      await turn();
    }
  }
}

async function draw(drawer: Drawer, job: TileJob): Promise<void> {
  await drawer.draw(job, { signal: new AbortController().signal });
}

function* jobs(): Generator<TileJob> {
  for (const { names, style, formats } of STYLES) {
    for (const z of ZOOMS) {
      for (const format of formats) {
        const scene = { id: "warm-up", footprint: [], assets: names.map((href) => ({ href })) };
        yield { kind: "tile", grid: tileOf(z), scenes: [scene], more: false, style, format };
      }
    }
  }
}

/** The tile over the middle of the scene. */
function tileOf(z: number): GridSpec {
  const [west, , east, north] = TILE_MATRIX_SETS.WebMercatorQuad.bounds;
  const size = (east - west) / 2 ** z;
  const [x, y] = transformer(SCENE.crs, resolveCrs("EPSG:3857"))(WEST + 5 * SIDE, NORTH - 5 * SIDE);
  return gridSpec(tileGrid("WebMercatorQuad", z, Math.floor((x - west) / size), Math.floor((north - y) / size)));
}

/** Noise: nothing about it is quicker to draw than about real scenes. */
function* madeUpScene(): Generator<[name: string, bands: Samples[]]> {
  let state = 1;
  const noise = <T extends Samples>(samples: T, most: number): T => {
    for (let i = 0; i < samples.length; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      samples[i] = 1 + ((state >>> 8) % most);
    }
    return samples;
  };
  for (const name of ["b1", "b2", "b3"]) yield [name, [noise(new Uint16Array(SIDE * SIDE), 4000)]];
  yield ["visual", [0, 1, 2].map(() => noise(new Uint8Array(SIDE * SIDE), 250))];
}

/** A file with overviews. */
function encode(bands: Samples[]): Promise<Uint8Array> {
  const valid = new Uint8Array(SIDE * SIDE).fill(1);
  return encodeGeoTiff({ grid: SCENE, bands, valid }, { nodata: 0, blockSize: 512, deflate: deflateRuns });
}
