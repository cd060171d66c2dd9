import { readFile } from "node:fs/promises";
import { z } from "@hono/zod-openapi";
import { toUnits } from "@swath/accounts";
import { DATA } from "@swath/accounts/hono";
import { type ExtractedFile, prepare } from "@swath/engine/node";
import { Link } from "@swath/stac";
import {
  extractionRequest,
  MAX_PROCESS_BYTES,
  PROCESS_MEMBERS,
  type ProcessMath,
  processRequestModel,
  SYNC_CAPS,
} from "../../bodies/process.ts";
import { JSON_TYPE } from "../../documents/media-types.ts";
import { NO_STORE } from "../../http/answer/documents.ts";
import { SKIPPED_HEADER, skippedHeader } from "../../http/answer/scenes-skipped.ts";
import type { AppContext } from "../../http/request/context.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import type { ExtractionParts } from "../../operations/services.ts";
import { GEOTIFF } from "./results.ts";

/** Largest file that is sent in the answer itself. */
const INLINE_BYTES = 4_194_304;

export const ResultLinks = z
  .object({
    links: z.array(Link),
    expires: z.string().openapi({ format: "date-time", description: "When the link ends." }),
  })
  .meta({ id: "ResultLinks", description: "Where the file is." });

export const RESULT_HEADERS = {
  "X-Attribution": { description: "Credit line to show with the data.", schema: { type: "string" } },
  "X-Scenes-Used": { description: "Scenes that gave pixels.", schema: { type: "integer" } },
  ...SKIPPED_HEADER,
} as const;

function resultHeaders({ extraction, skipped }: ExtractedFile): Record<string, string> {
  return {
    "Cache-Control": NO_STORE,
    "X-Attribution": extraction.attribution,
    "X-Scenes-Used": String(extraction.used.length),
    ...skippedHeader(skipped),
  };
}

async function sendInline(result: ExtractedFile, services: ExtractionParts): Promise<Response> {
  const bytes = await readFile(result.path);
  await services.results.remove(result.id);
  return new Response(bytes, {
    headers: {
      ...resultHeaders(result),
      "Content-Type": GEOTIFF,
      "Content-Length": String(bytes.byteLength),
      "Content-Disposition": `attachment; filename="${result.plan.filename}"`,
    },
  });
}

async function sendLink(c: AppContext, result: ExtractedFile, services: ExtractionParts): Promise<Response> {
  const { filename } = result.plan;
  await services.results.publish(result.id, filename);
  const { href, expires } = services.resultLinks.sign(c.get("baseUrl"), result.id, filename, services.now());
  const body: z.infer<typeof ResultLinks> = {
    links: [{ rel: "result", href, type: "image/tiff", title: filename }],
    expires: new Date(expires).toISOString(),
  };
  return Response.json(body, { status: 303, headers: { ...resultHeaders(result), Location: href } });
}

export function registerProcess(router: Router, services: ExtractionParts, math: ProcessMath): void {
  addRoute(
    router,
    {
      method: "post",
      path: "/v1/process",
      operationId: "processArea",
      tag: "Rendering",
      summary: "An area as a GeoTIFF",
      description:
        "A Cloud-Optimized GeoTIFF of a box or polygon from one scene or a mosaic of up to six. Up to 4 MB come in the answer; larger files are linked by a 303.",
      access: DATA,
      cost: "by-plan",
      body: { json: processRequestModel(services.registry, math), maxBytes: MAX_PROCESS_BYTES },
      members: PROCESS_MEMBERS,
      problems: [404, 422, 504],
      responses: {
        200: {
          description: "The GeoTIFF.",
          headers: {
            ...RESULT_HEADERS,
            "Content-Disposition": { description: "Name of the file.", schema: { type: "string" } },
          },
          content: { [GEOTIFF]: { schema: z.any().openapi({ type: "string", format: "binary" }) } },
        },
        303: {
          description: "The GeoTIFF is at `Location`, for an hour, without a key.",
          headers: {
            ...RESULT_HEADERS,
            Location: { description: "Signed link to the file.", schema: { type: "string", format: "uri" } },
          },
          content: { [JSON_TYPE]: { schema: ResultLinks } },
        },
      },
    },
    async (c, { body }) => {
      const signal = c.get("signal");
      const prepared = await prepare(services, extractionRequest(body, SYNC_CAPS), { signal });
      await c.get("meter").admit(toUnits(prepared.units), prepared.fileBytes);
      const result = await prepared.run({ signal });
      if (result.extraction.bytes <= INLINE_BYTES) return sendInline(result, services);
      c.get("meter").wrote(result.extraction.bytes);
      return sendLink(c, result, services);
    },
  );
}
