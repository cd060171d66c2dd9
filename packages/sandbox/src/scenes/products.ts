import { type Response, responseOfMsi } from "../sensors/responses.ts";
import {
  type AssetPlan,
  DEM_ASSETS,
  HLS_L30_ASSETS,
  HLS_REFLECTANCE,
  HLS_S30_ASSETS,
  LANDSAT_REFLECTANCE,
  landsatAssets,
  type Scaling,
  SENTINEL_1_ASSETS,
  SENTINEL_2_ASSETS,
  sentinel2Scaling,
} from "./assets.ts";
import {
  DEM_COLLECTION,
  HLS_L30_COLLECTION,
  HLS_S30_COLLECTION,
  LANDSAT_COLLECTION,
  type SandboxScene,
  SENTINEL_1_COLLECTION,
  SENTINEL_2_COLLECTION,
} from "./scenes.ts";

/** The files of a scene, and how they store reflectance. */
export interface Product {
  readonly assets: readonly AssetPlan[];
  readonly scaling: Scaling;
  /** Whether reflectance is int16 with nodata −9999, instead of uint16 with nodata 0. */
  readonly isSigned: boolean;
  /** The response of the sensor of its files, except those that have one of their own. */
  readonly response?: Response;
  /** Pixels of its mask are this many times as wide as its finest. */
  readonly maskFactor: 1 | 2;
}

export function productOf({ collection, acquisition }: SandboxScene): Product {
  const plain = { scaling: LANDSAT_REFLECTANCE, isSigned: false, maskFactor: 1 } as const;
  switch (collection) {
    case SENTINEL_2_COLLECTION: {
      const scaling = sentinel2Scaling(acquisition.baseline ?? "05.11");
      const response = responseOfMsi(acquisition.platform);
      return { assets: SENTINEL_2_ASSETS, scaling, isSigned: false, response, maskFactor: 2 };
    }
    case LANDSAT_COLLECTION:
      return { ...plain, assets: landsatAssets(acquisition.platform) };
    case HLS_L30_COLLECTION:
      return { ...plain, assets: HLS_L30_ASSETS, scaling: HLS_REFLECTANCE, isSigned: true };
    case HLS_S30_COLLECTION:
      return { ...plain, assets: HLS_S30_ASSETS, scaling: HLS_REFLECTANCE, isSigned: true };
    case SENTINEL_1_COLLECTION:
      return { ...plain, assets: SENTINEL_1_ASSETS };
    case DEM_COLLECTION:
      return { ...plain, assets: DEM_ASSETS };
  }
}
