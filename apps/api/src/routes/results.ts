import { z } from "@hono/zod-openapi";
import { ProblemError } from "@swath/problem";
import { addRoute, type Router } from "../http/route.ts";
import type { Services } from "../services.ts";
import { sendFile } from "./archive-files.ts";

export const GEOTIFF = "image/tiff; application=geotiff; profile=cloud-optimized";

const ResultPath = z.object({
  resultId: z.string().openapi({ description: "Id of the result." }),
  file: z.string().openapi({ description: "Name of the file." }),
});
const ResultQuery = z.strictObject({
  expires: z.string().optional().openapi({ description: "When the link ends, seconds since 1970." }),
  sig: z.string().optional().openapi({ description: "Signature of the link." }),
});
const binary = { schema: z.any().openapi({ type: "string", format: "binary" }) };

const text = (description: string) => ({ description, schema: { type: "string" as const } });
const FILE_HEADERS = {
  "Accept-Ranges": text("`bytes`."),
  "Last-Modified": text("When the file was written."),
  "Content-Disposition": text("Name of the file."),
};

export function registerResults(router: Router, services: Services): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/results/{resultId}/{file}",
      operationId: "getResult",
      tag: "Rendering",
      summary: "A finished GeoTIFF",
      description: "The target of a signed link: needs no key, serves ranges, ends after an hour.",
      key: false,
      params: ResultPath,
      query: ResultQuery,
      etag: true,
      responses: {
        200: { description: "The whole file.", headers: FILE_HEADERS, content: { [GEOTIFF]: binary } },
        206: {
          description: "The range asked for.",
          headers: {
            ...FILE_HEADERS,
            "Content-Range": { description: "Which bytes these are.", schema: { type: "string" } },
          },
          content: { [GEOTIFF]: binary },
        },
        416: {
          description: "The range lies outside the file.",
          headers: {
            ...FILE_HEADERS,
            "Content-Range": { description: "How long the file is.", schema: { type: "string" } },
          },
        },
      },
    },
    (c, { params: { resultId, file }, query }) => {
      const path = services.results.path(resultId, file);
      if (path === undefined || !services.resultLinks.isGood(resultId, file, query, services.now())) {
        throw new ProblemError("not-found", "There is no such result, or its link has ended.");
      }
      return sendFile(c, path, {
        "Content-Type": GEOTIFF,
        "Cache-Control": "private, max-age=3600",
        "Content-Disposition": `attachment; filename="${file}"`,
      });
    },
  );
}
