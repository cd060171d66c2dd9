import { join } from "node:path";
import { expect, test } from "vitest";
import { FULL, testService } from "../tools/harness.ts";
import { apiTypes } from "./explorer-types.ts";

const TYPES = join(import.meta.dirname, "../../..", "explorer/src/api/schema.gen.ts");

test("the types of the map page are those of the service's OpenAPI document", async () => {
  const service = await testService({}, { profile: FULL });
  const description = (await (await service.request("/v1/openapi.json")).json()) as Parameters<typeof apiTypes>[0];
  await expect(await apiTypes(description)).toMatchFileSnapshot(TYPES);
});
