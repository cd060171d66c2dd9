import { createAccess } from "../access/access.ts";
import { keyAuthenticator } from "../access/keys/key-authenticator.ts";
import { DATA } from "../access/route-access.ts";
import { authenticate } from "../http/authenticate.ts";
import type { Router } from "../http/route.ts";
import { spendingGate } from "../http/spending-gate.ts";
import { legacyHosts } from "../legacy/serve.ts";
import { requestCounts } from "../metering/request-counts.ts";
import { Extents } from "../operations/extents.ts";
import { ImageCache } from "../render/image-cache.ts";
import { registerArchiveFiles } from "../routes/archive-files.ts";
import { registerBodyModels } from "../routes/body-models.ts";
import { registerCollections } from "../routes/collections.ts";
import { registerExplorer } from "../routes/explorer.ts";
import { registerItems } from "../routes/items.ts";
import { registerJobs } from "../routes/jobs.ts";
import { registerLanding } from "../routes/landing.ts";
import { registerPresets } from "../routes/presets.ts";
import { registerPreviews } from "../routes/previews.ts";
import { registerProcess } from "../routes/process.ts";
import { registerResults } from "../routes/results.ts";
import { registerSearch } from "../routes/search.ts";
import { registerService } from "../routes/service.ts";
import { registerTiles } from "../routes/tiles.ts";
import type { Services } from "../services.ts";
import type { Profile } from "./profile.ts";

/** Lean v1: keys of the owner alone, limited by requests. */
export function leanProfile(services: Services): Profile {
  const { metrics, spending, archiveDirectory } = services;
  const images = new ImageCache(services.renderer, services.tileCacheBytes, (found) => metrics?.cachedImage(found));
  const extents = new Extents(services.catalog);
  return {
    access: createAccess({
      authenticators: [keyAuthenticator(services.keys)],
      missingDetail: "This route needs an API key in the X-API-Key header.",
    }),
    admission: requestCounts(services.limits),
    modules: [
      (router) => {
        const checkKey = async (c: Parameters<typeof authenticate>[1]): Promise<void> => {
          await authenticate(router, c, DATA);
        };
        router.app.use(legacyHosts({ services, images, authenticate: checkKey }));
        if (spending !== undefined) router.app.use("/v1/*", spendingGate(spending));
      },
      registerBodyModels,
      (router) => registerLanding(router, services),
      (router) => registerCollections(router, { ...services, extents }),
      (router) => registerSearch(router, services),
      (router) => registerItems(router, services),
      (router) => registerPresets(router, services),
      (router) => registerTiles(router, { ...services, extents }, images),
      (router) => registerPreviews(router, services, images),
      (router) => registerProcess(router, services),
      (router) => registerJobs(router, services),
      (router) => registerResults(router, services),
      (router) => registerService(router, services),
      registerExplorer,
      ...(archiveDirectory === undefined ? [] : [(router: Router) => registerArchiveFiles(router, archiveDirectory)]),
    ],
  };
}
