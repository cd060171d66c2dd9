import { z } from "@hono/zod-openapi";
import { PUBLIC } from "@swath/accounts/hono";
import { sendBytes } from "@swath/web/files";
import { ProblemError } from "../../errors/problems.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import type { ResultParts } from "../../operations/services.ts";

export const GEOTIFF = "image/tiff; application=geotiff; profile=cloud-optimized";

const PNG = "image/png";

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

export function registerResults(router: Router, services: ResultParts): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/results/{resultId}/{file}",
      operationId: "getResult",
      tag: "Rendering",
      summary: "A finished GeoTIFF or its preview",
      description: "The target of a signed link: needs no key, serves ranges, ends after an hour.",
      access: PUBLIC,
      params: ResultPath,
      query: ResultQuery,
      etag: true,
      problems: [416],
      responses: {
        200: { description: "The whole file.", headers: FILE_HEADERS, content: { [GEOTIFF]: binary, [PNG]: binary } },
        206: {
          description: "The range asked for.",
          headers: {
            ...FILE_HEADERS,
            "Content-Range": { description: "Which bytes these are.", schema: { type: "string" } },
          },
          content: { [GEOTIFF]: binary, [PNG]: binary },
        },
        307: {
          description: "The file is at `Location`, in a bucket that the deployment has made public-facing.",
          headers: { Location: { description: "Address that ends with the link.", schema: { type: "string" } } },
        },
      },
    },
    async (c, { params: { resultId, file }, query }) => {
      const { results, resultLinks, now } = services;
      const isGood = resultLinks.isGood(resultId, file, query, now());
      const stored = isGood ? await results.find(resultId, file) : undefined;
      if (stored === undefined) throw new ProblemError("not-found", "There is no such result, or its link has ended.");
      // a client that sends its key here would send it on to the bucket, so that one is not sent there
      if (c.req.method === "GET" && c.req.header("X-API-Key") === undefined) {
        const seconds = Math.max(1, Number(query.expires) - Math.floor(now().getTime() / 1000));
        const address = await results.address?.(resultId, file, seconds);
        if (address !== undefined) return c.redirect(address, 307);
      }
      return sendBytes(c, stored, {
        "Content-Type": file.endsWith(".png") ? PNG : GEOTIFF,
        "Cache-Control": "private, max-age=3600",
        "Content-Disposition": `attachment; filename="${file}"`,
      });
    },
  );
}
