import { setImmediate as turn } from "node:timers/promises";
import { closeDefaultGridContext, memorySource } from "@swath/cog";
import { deflateRuns, encodeGeoTiff } from "@swath/encode";
import { gridFromBounds, resolveCrs, type Samples, TILE_MATRIX_SETS, transformer } from "@swath/raster";
import type { ImageFormat, StyleSpec, TileJob } from "../job.ts";
import type { GridSpec, SceneRead } from "../scene/scene-read.ts";
import { createRenderEngine, type RenderEngine } from "./engine.ts";

/** Edge of the synthetic scene, pixels of 10 m. */
const SIDE = 512;
const [WEST, NORTH] = [500_000, 5_600_000];
const SCENE = gridFromBounds(resolveCrs("EPSG:32633"), [WEST, NORTH - 10 * SIDE, WEST + 10 * SIDE, NORTH], SIDE, SIDE);
/** Rows and columns from the upper left corner whose sum is less hold no data. */
const CORNER = SIDE / 2;
/** Zooms that are rendered from the full resolution and from an overview. */
const ZOOMS = [14, 12];
/** Less than the scene has, so that blocks are read and decoded again and again. */
const BLOCKS_BYTES = 1 << 20;

const STYLES: readonly {
  readonly names: readonly string[];
  readonly style: StyleSpec;
  readonly formats: ImageFormat[];
}[] = [
  { names: ["visual"], style: {}, formats: ["png", "jpg"] },
  { names: ["b1", "b2", "b3"], style: { rescale: [[0, 4000]] }, formats: ["png"] },
  {
    names: ["b1", "b2"],
    style: {
      expression: "(b1-b2)/(b1+b2)",
      variables: ["b1", "b2"],
      rescale: [[-1, 1]],
      colormap: "rdylgn",
    },
    formats: ["png"],
  },
];

/**
 * Renders tiles of a synthetic scene, so that the JavaScript engine has compiled the code before real tiles are asked
 * for: a server that has just started would else need twice the time for its first ten. More rounds than four bring later
 * tiles nothing that can be measured. Works only in `quiet` moments, a few milliseconds at a time, each tile `rounds`
 * times, each time at other coordinates. Nothing of it is kept, except the warp plans of the round in which a request
 * comes.
 *
 * @param quiet resolves when there is nothing else to do; false: there is no need any more
 */
export async function warmUp(quiet: () => Promise<boolean>, rounds = 4): Promise<void> {
  const files = new Map<string, Uint8Array>();
  for (const [name, bands] of syntheticScene()) {
    if (!(await quiet())) return;
    files.set(name, await encode(bands));
  }
  const sources = { assetHosts: [], s3: { region: "" } };
  const engine = createRenderEngine({ sources, blockCacheBytes: BLOCKS_BYTES }, (href) =>
    memorySource(files.get(href)!, href),
  );
  for (let round = 0; round < rounds; round++) {
    for (const job of jobs(round)) {
      if (!(await quiet())) return;
      // jobs come from another thread as copies, and copies have other hidden classes in V8
      await render(engine, structuredClone(job));
      await turn();
    }
    // they would fill the plan cache with what nobody asks for
    closeDefaultGridContext();
  }
}

async function render(engine: RenderEngine, job: TileJob): Promise<void> {
  await engine.image(job, { signal: new AbortController().signal });
}

function* jobs(round: number): Generator<TileJob> {
  const footprint = outline();
  for (const { names, style, formats } of STYLES) {
    for (const z of ZOOMS) {
      for (const format of formats) {
        const scene = (id: string): SceneRead => ({
          id,
          footprint,
          files: names.map((href) => ({ href })),
          resampling: "bilinear",
          overviews: "display",
          validWhere: "every-file",
        });
        // the second fills the gaps of the first
        const scenes = [scene("above"), scene("below")];
        yield { kind: "tile", grid: gridAt(z, round), scenes, more: false, style, format };
      }
    }
  }
}

/** A grid of a map tile's size, each round at other coordinates within the scene or across its edge. */
function gridAt(z: number, round: number): GridSpec {
  const [west, , east] = TILE_MATRIX_SETS.WebMercatorQuad.bounds;
  const size = 256;
  const pixel = (east - west) / 2 ** z / size;
  // fractional parts of multiples of two irrational numbers: spread over the scene, and never the same twice
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

/** Noise, which is no quicker to render than real scenes, and a corner without data. */
function* syntheticScene(): Generator<[name: string, bands: Samples[]]> {
  let state = 1;
  const noise = <T extends Samples>(samples: T, most: number): T => {
    for (let i = 0; i < samples.length; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      const isEmpty = (i % SIDE) + i / SIDE < CORNER;
      samples[i] = isEmpty ? 0 : 1 + ((state >>> 8) % most);
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
