import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { constants, deflateSync } from "node:zlib";
import { deflateRuns, encodeGeoTiff, type GeoTiffOptions } from "@swath/encode";
import type { Samples } from "@swath/raster";
import { SamplePool } from "@swath/raster/kernels";
import type { Landscape } from "../country/landscape.ts";
import { renderElevation, renderScene, type SceneFile, type SceneStatistics } from "../pixels/render.ts";
import { type GroundGrid, surveyScene } from "../pixels/view.ts";
import type { AssetPlan } from "../scenes/assets.ts";
import { granuleMetadata, metadataPath } from "../scenes/granule.ts";
import { assetPath } from "../scenes/paths.ts";
import { DEM_COLLECTION, LANDSAT_COLLECTION, type SandboxScene } from "../scenes/scenes.ts";

/** Facts about the files of a scene that its item contains. */
export interface SceneResult {
  readonly id: string;
  readonly statistics: SceneStatistics;
  /** By asset key: size in bytes and SHA-256 as a multihash. */
  readonly files: Readonly<Record<string, { readonly size: number; readonly checksum: string }>>;
}

/** Returns the ground of the grids of a frame, which is surveyed once and kept until another frame is asked for. */
export type Surveyor = (scene: SandboxScene) => (factor: 1 | 2 | 6) => GroundGrid;

export function createSurveyor(landscape: Landscape): Surveyor {
  let frame = "";
  let grounds = new Map<number, GroundGrid>();
  return (scene) => (factor) => {
    if (scene.frame !== frame) [frame, grounds] = [scene.frame, new Map()];
    let ground = grounds.get(factor);
    if (ground === undefined) {
      // Landsat scenes of a frame have one footprint; Sentinel-2 swaths differ by date, so the whole tile is surveyed
      ground = surveyScene(landscape, scene, factor, scene.collection !== LANDSAT_COLLECTION);
      grounds.set(factor, ground);
    }
    return ground;
  };
}

/** Memory of the pixels of this thread's scenes. */
const POOL = new SamplePool(64 << 20, 8 << 20);

/** Writes the files of scenes of one frame (same pixels, several dates) below `directory`. */
export async function writeScenes(
  directory: string,
  landscape: Landscape,
  surveyor: Surveyor,
  scenes: readonly SandboxScene[],
  onScene: (result: SceneResult) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (const scene of scenes) {
    signal?.throwIfAborted();
    const isElevation = scene.collection === DEM_COLLECTION;
    const render = isElevation
      ? renderElevation(landscape, scene)
      : renderScene(landscape, scene, surveyor(scene), POOL);
    const files: Record<string, { size: number; checksum: string }> = {};
    const folder = dirname(join(directory, assetPath(scene, render.plans[0]!)));
    await mkdir(folder, { recursive: true });
    const metadata = granuleMetadata(scene);
    if (metadata !== undefined) await writeFile(join(directory, metadataPath(scene)), metadata);
    for (const plan of render.plans) {
      signal?.throwIfAborted();
      const file = render.file(plan);
      const bytes = await encoded(file, scene);
      POOL.release(file.raster.bands as Samples[]);
      // this thread has nothing else to do meanwhile, and waiting for many small files costs more than they do
      writeFileSync(join(directory, assetPath(scene, plan)), bytes);
      files[plan.key] = {
        size: bytes.length,
        checksum: `1220${createHash("sha256").update(bytes).digest("hex")}`,
      };
    }
    render.release();
    onScene({ id: scene.id, statistics: render.statistics, files });
  }
}

/** Kinds of files that are often the same on many dates: height, a clear sky and ground without snow do not change. */
const LASTING: ReadonlySet<AssetPlan["kind"]> = new Set(["aot", "wvp", "cloud", "snow", "qa_radsat"]);

interface EncodedFile {
  /** Scenes of one frame and track have the same valid pixels. */
  readonly place: string;
  readonly pixels: Buffer;
  readonly bytes: Uint8Array;
}

/** The last file of each lasting kind. */
const encodedFiles = new Map<AssetPlan["kind"], EncodedFile>();

async function encoded(file: SceneFile, scene: SandboxScene): Promise<Uint8Array> {
  const { kind } = file.plan;
  if (!LASTING.has(kind)) return encodeGeoTiff(file.raster, encodingOf(file, scene));
  const place = `${scene.frame} ${scene.acquisition.track}`;
  const { buffer, byteOffset, byteLength } = file.raster.bands[0]!;
  const pixels = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
  const last = encodedFiles.get(kind);
  if (last?.place === place && last.pixels.equals(pixels)) return last.bytes;
  const bytes = await encodeGeoTiff(file.raster, encodingOf(file, scene));
  encodedFiles.set(kind, { place, pixels, bytes });
  return bytes;
}

/**
 * Deflate, predictor 2, nodata 0, overviews by average (classes by mode), overview blocks half as wide as the others,
 * as the upstream's pipeline; blocks are half as wide as there, since a scene is a tenth as wide. Scenes of the valley are
 * at most 510 pixels wide: they need no overviews.
 */
function encodingOf(file: SceneFile, scene: SandboxScene): GeoTiffOptions {
  const { plan, scaling, nodata } = file;
  const blockSize = plan.factor === 1 ? 512 : plan.factor === 2 ? 256 : 128;
  const classes = plan.kind === "scl" || plan.kind === "qa_pixel" || plan.kind === "qa_radsat" || plan.kind === "fmask";
  const tagged = plan.file.endsWith(".tif") && scaling !== undefined;
  return {
    blockSize,
    overviewBlockSize: blockSize / 2,
    ...(scene.acquisition.valley ? { overviews: [] } : {}),
    level: scene.acquisition.valley ? 4 : 3,
    predictor: plan.kind === "backscatter" || plan.kind === "elevation" ? 3 : 2,
    ...(nodata === undefined ? {} : { nodata }),
    ...(plan.kind === "visual"
      ? {}
      : { bands: [{ name: plan.band, ...(tagged ? { scale: scaling.scale, offset: scaling.offset } : {}) }] }),
    overviewResampling: classes ? "mode" : "average",
    deflate: isCoarse(file, scene) ? deflateRuns : filteredDeflate,
  };
}

/** Neighbouring pixels of 300 m have little in common: nothing is gained by searching for what repeats. */
function isCoarse({ plan }: SceneFile, scene: SandboxScene): boolean {
  if (plan.kind === "reflectance") return plan.factor * scene.pixel >= 300;
  return plan.kind === "backscatter" || plan.kind === "elevation";
}

/**
 * zlib's strategy for predicted data. Parcels of the valley repeat, so level 4 is worth its time there: within 3 % of level 6
 * in half its time; elsewhere level 3 is as near to level 4 in four fifths.
 */
async function filteredDeflate(bytes: Uint8Array, level: number): Promise<Uint8Array> {
  const chunkSize = Math.max(1 << 15, bytes.length >> 2);
  return deflateSync(bytes, { level, strategy: constants.Z_FILTERED, memLevel: 9, chunkSize });
}
