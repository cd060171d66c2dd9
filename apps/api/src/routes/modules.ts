import type { Router } from "../http/route.ts";
import { legacyHosts } from "../legacy/serve.ts";
import { ImageCache } from "../render/image-cache.ts";
import type { Services } from "../services.ts";
import { spendingGate } from "../spending/gate.ts";
import { registerArchiveFiles } from "./archive-files.ts";
import { registerCollections } from "./collections.ts";
import { registerExplorer } from "./explorer.ts";
import { registerItems } from "./items.ts";
import { registerJobs } from "./jobs.ts";
import { registerLanding } from "./landing.ts";
import { registerPresets } from "./presets.ts";
import { registerPreviews } from "./previews.ts";
import { registerProcess } from "./process.ts";
import { registerResults } from "./results.ts";
import { registerSearch } from "./search.ts";
import { registerService } from "./service.ts";
import { registerTiles } from "./tiles.ts";

/** Lean v1: the list of its route modules. */
export function registerModules(router: Router, services: Services): void {
  const { metrics, spending } = services;
  const images = new ImageCache(services.renderer, services.tileCacheBytes, (found) => metrics?.cachedImage(found));
  router.app.use(legacyHosts({ services, images, authenticate: router.authenticate }));
  if (spending !== undefined) router.app.use("/v1/*", spendingGate(spending));
  registerLanding(router);
  registerCollections(router, services);
  registerSearch(router, services);
  registerItems(router, services);
  registerPresets(router);
  registerTiles(router, services, images);
  registerPreviews(router, services, images);
  registerProcess(router, services);
  registerJobs(router, services);
  registerResults(router, services);
  registerService(router, services);
  registerExplorer(router);
  if (services.archiveDirectory !== undefined) registerArchiveFiles(router, services.archiveDirectory);
}
