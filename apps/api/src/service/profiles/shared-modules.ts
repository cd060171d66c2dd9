import type { AddressLimits } from "@swath/accounts";
import { RecentScenes } from "@swath/catalog";
import { Extents } from "@swath/catalog/node";
import { FinishedImages, ImageCache } from "@swath/engine/node/images";
import type { ProcessMath } from "../../bodies/process.ts";
import { maintenanceGate } from "../../http/request/maintenance-gate.ts";
import type { Router } from "../../http/request/route.ts";
import { spendingGate } from "../../http/request/spending-gate.ts";
import type { Services } from "../../operations/services.ts";
import { registerJobs } from "../../routes/analysis/jobs.ts";
import { registerProcess } from "../../routes/analysis/process.ts";
import { registerResults } from "../../routes/analysis/results.ts";
import type { ImageDialect } from "../../routes/images/parameters.ts";
import { registerPresets } from "../../routes/images/presets.ts";
import { registerPreviews } from "../../routes/images/previews.ts";
import { registerTiles } from "../../routes/images/tiles.ts";
import { registerCollections } from "../../routes/scenes/collections.ts";
import { registerItems } from "../../routes/scenes/items.ts";
import { registerSearch } from "../../routes/scenes/search.ts";
import { registerArchiveFiles } from "../../routes/site/archive-files.ts";
import { registerBodyModels } from "../../routes/site/body-models.ts";
import { registerExplorer } from "../../routes/site/explorer.ts";
import { type LandingOptions, registerLanding } from "../../routes/site/landing.ts";
import { registerService } from "../../routes/site/service.ts";
import { registerLegacy } from "../legacy.ts";
import type { RouteModule } from "./profile.ts";

/** The parts that the routes of one service share. */
export interface SharedParts {
  readonly images: FinishedImages;
  readonly extents: Extents;
}

export function sharedParts({ renderer, tileCacheBytes, metrics, catalog, sharedImages }: Services): SharedParts {
  const onLookup = (found: boolean): void => metrics?.cachedImage(found);
  return {
    images: new FinishedImages(new ImageCache(renderer, tileCacheBytes, onLookup, sharedImages)),
    extents: new Extents(catalog),
  };
}

export interface SharedOptions extends LandingOptions, ProcessMath {
  /** Whether searches take CQL2. */
  readonly filters: "cql2" | "refused";
  /** The parameters that are read in addresses of images. */
  readonly dialect: ImageDialect;
  /** Whether the documents of background jobs have the units that the jobs cost. */
  readonly jobUnits: "reported" | "none";
  /** Checks requests before it is known whether the service is open: the form of problems of routes that have one. */
  readonly forms?: RouteModule;
  /** Counts items that do not exist, as anonymous searches; absent: nobody does. */
  readonly missingItems?: AddressLimits | undefined;
  /** Paths below `/v1` that neither read an archive nor lead to one, besides those of lean v1. */
  readonly isOpen: (path: string) => boolean;
}

/** The routes that every profile serves. */
export function sharedModules(
  services: Services,
  { images, extents }: SharedParts,
  { filters, jobUnits, expressions, dialect, isOpen, forms, missingItems, ...landing }: SharedOptions,
): readonly RouteModule[] {
  const { spending, maintenance, archiveDirectory, catalog, now, baseMap } = services;
  const recentScenes = new RecentScenes(catalog, now);
  return [
    (router) => {
      registerLegacy(router, services, images.cache);
      forms?.(router);
      if (maintenance !== undefined) router.app.use(maintenanceGate(maintenance));
      if (spending !== undefined) router.app.use("/v1/*", spendingGate(spending, isOpen));
    },
    registerBodyModels,
    (router) =>
      registerLanding(
        router,
        { ...services, extents },
        { ...landing, isSynthetic: archiveDirectory !== undefined, baseMap },
      ),
    (router) => registerCollections(router, { ...services, extents }, landing.links, filters),
    (router) => registerSearch(router, { ...services, extents }, { filters, isMarked: filters === "cql2" }),
    (router) => registerItems(router, services, missingItems),
    (router) => registerPresets(router, { ...services, extents }, landing.links),
    (router) => registerTiles(router, { ...services, extents, recentScenes }, images, dialect),
    (router) => registerPreviews(router, services, images, dialect),
    (router) => registerProcess(router, services, { expressions }),
    (router) => registerJobs(router, services, { units: jobUnits, expressions }),
    (router) => registerResults(router, services),
    (router) => registerService(router, services),
    (router) => registerExplorer(router, services),
    ...(archiveDirectory === undefined ? [] : [(router: Router) => registerArchiveFiles(router, archiveDirectory)]),
  ];
}
