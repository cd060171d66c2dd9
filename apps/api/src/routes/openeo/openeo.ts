import type { Extents } from "@swath/catalog/node";
import type { OpenEoServices } from "@swath/engine/node";
import type { Router } from "../../http/request/route.ts";
import type { HealthParts } from "../../operations/services.ts";
import { registerOpenEoAccount } from "./account.ts";
import { registerOpenEoDiscovery } from "./discovery.ts";
import { problemsForOpenEo } from "./problem-form.ts";
import { registerOpenEoResult } from "./result.ts";

/** The form of problems below `/v1/openeo`, also of those that are found before a route is. */
export function registerOpenEoForm(router: Router): void {
  router.app.use("/v1/openeo", problemsForOpenEo);
  router.app.use("/v1/openeo/*", problemsForOpenEo);
}

/** The openEO API 1.2: collections as data cubes, and process graphs computed while the client waits. */
export function registerOpenEo(
  router: Router,
  services: OpenEoServices & Pick<HealthParts, "version">,
  extents: Extents,
): void {
  registerOpenEoDiscovery(router, services, extents);
  registerOpenEoAccount(router);
  registerOpenEoResult(router, services);
}
