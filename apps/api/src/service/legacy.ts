import { authenticate } from "@swath/accounts/hono";
import type { ImageCache } from "@swath/engine/node/images";
import { legacyHosts } from "@swath/legacy";
import { translateError } from "../errors/translate.ts";
import { ACCEPTED_HEADERS } from "../http/answer/cors.ts";
import type { AppEnv } from "../http/request/context.ts";
import type { Router } from "../http/request/route.ts";
import { LEGACY } from "../http/request/route-access.ts";
import type { Services } from "../operations/services.ts";

/** Mounts the legacy hosts, which take keys of the owner, on the archive or upstream of the service. */
export function registerLegacy(router: Router, services: Services, images: ImageCache): void {
  const { archiveDirectory, legacy, maintenance, spending } = services;
  const hosts = legacyHosts<AppEnv>(
    {
      ...services,
      images,
      async authenticate(c) {
        await authenticate(router, c, LEGACY, "legacy");
        return c.get("identity").subject;
      },
      checkOpen: () => maintenance?.check(),
      checkSpending: () => spending?.check(),
      problemOf: (error) => translateError(error),
      acceptedHeaders: ACCEPTED_HEADERS,
    },
    { ...legacy, ...(archiveDirectory === undefined ? {} : { directory: archiveDirectory }) },
  );
  router.app.use(hosts);
}
