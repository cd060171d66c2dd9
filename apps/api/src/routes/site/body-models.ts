import { BODY_SCHEMAS } from "@swath/query";
import type { Router } from "../../http/request/route.ts";

/** Adds the models of what bodies hold to the OpenAPI document. */
export function registerBodyModels({ app }: Router): void {
  for (const [name, schema] of Object.entries(BODY_SCHEMAS))
    app.openAPIRegistry.registerComponent("schemas", name, schema);
}
