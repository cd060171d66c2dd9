import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { z } from "@hono/zod-openapi";
import { fromUnits, toUnits } from "@swath/accounts";
import { DATA } from "@swath/accounts/hono";
import type { GraphRequest } from "@swath/engine";
import { type OpenEoResult, type OpenEoServices, prepare, type SentGraph, validateGraph } from "@swath/engine/node";
import { JSON_TYPE } from "../../documents/media-types.ts";
import { ProblemError } from "../../errors/problems.ts";
import { openEoMessage } from "../../errors/translate.ts";
import { NO_STORE } from "../../http/answer/documents.ts";
import { SKIPPED_HEADER, skippedHeader } from "../../http/answer/scenes-skipped.ts";
import { addRoute, type Router } from "../../http/request/route.ts";

/** Largest body with a process graph. */
const MAX_GRAPH_BYTES = 1_048_576;

const ParameterDefinitions = z
  .array(z.looseObject({ name: z.string() }))
  .nullish()
  .openapi({
    description: "Parameters that the graph refers to; their defaults are taken.",
  });
const Process = z
  .looseObject({
    process_graph: z.unknown().openapi({ type: "object", description: "Nodes by their id." }),
    parameters: ParameterDefinitions,
  })
  .meta({ id: "OpenEoProcess" });

const ResultRequest = z
  .looseObject({
    process: Process,
    budget: z.number().min(0).nullish().openapi({ description: "Units that the result may cost." }),
    log_level: z.enum(["error", "warning", "info", "debug"]).nullish(),
  })
  .meta({ id: "OpenEoResultRequest" });

/** Makes the engine's request of a body. */
const graphRequest = ({ process, budget }: z.infer<typeof ResultRequest>): GraphRequest => ({
  where: { kind: "graph" },
  when: {},
  what: { graph: { nodes: process.process_graph, parameters: process.parameters } },
  into: { kind: "graph", budget: budget ?? undefined },
});

/** Some clients send the process itself for validation, others as the member `process`. */
const ValidationRequest = z
  .looseObject({
    process: Process.optional(),
    process_graph: z.unknown().optional().openapi({ type: "object" }),
    parameters: ParameterDefinitions,
  })
  .meta({ id: "OpenEoValidationRequest" });

const Validation = z
  .object({
    errors: z
      .array(z.object({ code: z.string(), message: z.string() }))
      .openapi({ description: "Empty: the graph can be run." }),
  })
  .meta({ id: "OpenEoValidation" });

/** A body that is malformed is a malformed graph to clients of openEO. */
function graphFault(error: ProblemError): ProblemError {
  if (error.code !== "invalid-body") return error;
  const { errors = [] } = error;
  return new ProblemError("invalid-process-graph", error.message, { errors, cause: error });
}

const binary = { schema: z.any().openapi({ type: "string", format: "binary" }) };
const text = (description: string) => ({ description, schema: { type: "string" as const } });

export function registerOpenEoResult(router: Router, services: OpenEoServices): void {
  addRoute(
    router,
    {
      method: "post",
      path: "/v1/openeo/validation",
      operationId: "validateOpenEoGraph",
      tag: "openEO",
      summary: "Whether a process graph can be run",
      description:
        "Nodes, links, types, callbacks, dimensions and labels; scenes are not searched. All faults that do not follow from another one, at most 20.",
      access: DATA,
      body: { json: ValidationRequest, maxBytes: MAX_GRAPH_BYTES, fault: graphFault },
      responses: { 200: { description: "What is wrong.", content: { [JSON_TYPE]: { schema: Validation } } } },
    },
    (c, { body }) => {
      const { process_graph: graph, parameters } = body.process ?? body;
      const errors = faultsOf(services, { graph, parameters });
      return c.json({ errors }, 200, { "Cache-Control": NO_STORE });
    },
  );
  addRoute(
    router,
    {
      method: "post",
      path: "/v1/openeo/result",
      operationId: "computeOpenEoResult",
      tag: "openEO",
      summary: "The result of a process graph",
      description:
        "Validates the graph whole, estimates what it costs, and computes it while the client waits, within the limits of extractions and statistics.",
      access: DATA,
      members: { in: "body", names: { "what.graph.nodes": "/process/process_graph" } },
      cost: "by-plan",
      body: { json: ResultRequest, maxBytes: MAX_GRAPH_BYTES, fault: graphFault },
      problems: [404, 413, 422, 501, 504],
      responses: {
        200: {
          description: "The file.",
          headers: {
            "OpenEO-Costs": { description: "Units that the result cost.", schema: { type: "number" } },
            "OpenEO-Identifier": text("Id of the request."),
            "X-Attribution": text("Credit lines to show with the data, separated by semicolons."),
            ...SKIPPED_HEADER,
            "Content-Disposition": text("Name of the file."),
          },
          content: {
            "image/tiff; application=geotiff": binary,
            "image/png": binary,
            "image/jpeg": binary,
            [JSON_TYPE]: { schema: z.unknown() },
            "text/csv; charset=utf-8; header=present": { schema: z.string() },
          },
        },
      },
    },
    async (c, { body }) => {
      const signal = c.get("signal");
      const prepared = await prepare(services, graphRequest(body), { signal });
      const units = toUnits(prepared.units);
      await c.get("meter").admit(units);
      const result = await prepared.run({ signal });
      return send(services, result, { costs: fromUnits(units), id: c.get("requestId") });
    },
  );
}

/** As results that are refused for it have it: messages end with the node. */
function faultsOf(services: OpenEoServices, graph: SentGraph): readonly { code: string; message: string }[] {
  return validateGraph(services, graph).map((fault) => ({ code: fault.code, message: openEoMessage(fault) }));
}

async function send(
  { results }: OpenEoServices,
  { mediaType, content, filename, attribution, skipped }: OpenEoResult,
  { costs, id }: { readonly costs: number; readonly id: string },
): Promise<Response> {
  const headers = {
    "Content-Type": mediaType,
    "Cache-Control": NO_STORE,
    "Content-Disposition": `attachment; filename="${filename}"`,
    "OpenEO-Costs": String(costs),
    "OpenEO-Identifier": id,
    ...(attribution.length === 0 ? {} : { "X-Attribution": attribution.join("; ") }),
    ...skippedHeader(skipped.map((scene) => scene.id)),
  };
  if ("bytes" in content) {
    return new Response(content.bytes, { headers: { ...headers, "Content-Length": String(content.bytes.byteLength) } });
  }
  const file = await open(content.path);
  // an open file can be read to its end though its name is gone
  await results.remove(content.resultId);
  const body = Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array>;
  return new Response(body, { headers: { ...headers, "Content-Length": String(content.size) } });
}
