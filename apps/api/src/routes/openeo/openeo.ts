import type { Router } from "../../http/route.ts";
import type { Extents } from "../../operations/extents.ts";
import type { Services } from "../../services.ts";
import { registerOpenEoAccount } from "./account.ts";
import { registerOpenEoDiscovery } from "./discovery.ts";
import { problemsForOpenEo } from "./problem-form.ts";
import { registerOpenEoResult } from "./result.ts";

/** The openEO API 1.2: collections as data cubes, and process graphs computed while the client waits. */
export function registerOpenEo(router: Router, services: Services, extents: Extents): void {
  router.app.use("/v1/openeo", problemsForOpenEo);
  router.app.use("/v1/openeo/*", problemsForOpenEo);
  registerOpenEoDiscovery(router, services, extents);
  registerOpenEoAccount(router);
  registerOpenEoResult(router, services);
}
