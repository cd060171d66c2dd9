import { setImmediate as turn } from "node:timers/promises";
import { memorySource, releasePlans } from "@swath/cog";
import { deflateRuns, encodeGeoTiff } from "@swath/encode";
import { gridFromBounds, resolveCrs, type Samples, TILE_MATRIX_SETS, transformer } from "@swath/raster";
import { createDrawer, type Drawer } from "./draw.ts";
import type { GridSpec, ImageFormat, SceneRead, StyleSpec, TileJob } from "./job.ts";

/** Edge of the made-up scene, pixels of 10 m. */
const SIDE = 512;
const [WEST, NORTH] = [500_000, 5_600_000];
const SCENE = gridFromBounds(resolveCrs("EPSG:32633"), [WEST, NORTH - 10 * SIDE, WEST + 10 * SIDE, NORTH], SIDE, SIDE);
/** Rows and columns from the upper left corner whose sum is less hold no data. */
const CORNER = SIDE / 2;
/** Zooms at which the scene's own pixels are drawn, and those of an overview. */
const ZOOMS = [14, 12];
/** Less than the scene has: blocks are read and decoded again and again. */
const BLOCKS_BYTES = 1 << 20;

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
 * milliseconds at a time, `rounds` times each drawing, ever at another place. Nothing of what it draws
 * stays, but for the plans of the round in which somebody comes.
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
    for (const job of jobs(round)) {
      if (!(await quiet())) return;
      // orders come from another thread as copies, and copies are another class of objects to the engine
      await draw(drawer, structuredClone(job));
      await turn();
    }
    // they would fill their room with what nobody asks for
    releasePlans();
  }
}

async function draw(drawer: Drawer, job: TileJob): Promise<void> {
  await drawer.draw(job, { signal: new AbortController().signal });
}

function* jobs(round: number): Generator<TileJob> {
  const footprint = outline();
  for (const { names, style, formats } of STYLES) {
    for (const z of ZOOMS) {
      for (const format of formats) {
        const scene = (id: string): SceneRead => ({ id, footprint, assets: names.map((href) => ({ href })) });
        // the second is asked for what the first leaves open
        const scenes = [scene("above"), scene("below")];
        yield { kind: "tile", grid: gridAt(z, round), scenes, more: false, style, format };
      }
    }
  }
}

/** The size of a map tile, in another place of the scene or across its edge each round. */
function gridAt(z: number, round: number): GridSpec {
  const [west, , east] = TILE_MATRIX_SETS.WebMercatorQuad.bounds;
  const size = 256;
  const pixel = (east - west) / 2 ** z / size;
  // multiples of two irrationals, less the whole: spread over the scene, and never the same again
  const right = (round * Math.SQRT2) % 1;
  const down = (round * Math.E) % 1;
  const [x, y] = transformer(SCENE.crs, resolveCrs("EPSG:3857"))(WEST + right * 10 * SIDE, NORTH - down * 10 * SIDE);
  const half = (size / 2) * pixel;
  return { crs: "EPSG:3857", transform: [pixel, 0, x - half, 0, -pixel, y + half], width: size, height: size };
}

/** The scene's outline in degrees. */
function outline(): SceneRead["footprint"] {
  const toDegrees = transformer(SCENE.crs, resolveCrs("EPSG:4326"));
  const corner = (right: number, down: number) => toDegrees(WEST + right * 10 * SIDE, NORTH - down * 10 * SIDE);
  return [[corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1), corner(0, 0)]];
}

/** Noise, nothing about which is quicker to draw than about real scenes, and a corner without data. */
function* madeUpScene(): Generator<[name: string, bands: Samples[]]> {
  let state = 1;
  const noise = <T extends Samples>(samples: T, most: number): T => {
    for (let i = 0; i < samples.length; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      const isVoid = (i % SIDE) + i / SIDE < CORNER;
      samples[i] = isVoid ? 0 : 1 + ((state >>> 8) % most);
    }
    return samples;
  };
  for (const name of ["b1", "b2", "b3"]) yield [name, [noise(new Uint16Array(SIDE * SIDE), 4000)]];
  yield ["visual", [0, 1, 2].map(() => noise(new Uint8Array(SIDE * SIDE), 250))];
}

/** A file with overviews. */
function encode(bands: Samples[]): Promise<Uint8Array> {
  const valid = new Uint8Array(SIDE * SIDE);
  for (let i = 0; i < valid.length; i++) valid[i] = Math.min(bands[0]?.[i] ?? 0, 1);
  return encodeGeoTiff({ grid: SCENE, bands, valid }, { nodata: 0, blockSize: 256, deflate: deflateRuns });
}
