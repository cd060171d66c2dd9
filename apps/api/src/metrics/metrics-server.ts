import { createServer, type Server } from "node:http";
import type { MetricsRegistry } from "./metrics.ts";

/** A server of the metrics at `/metrics`, for a separate address that is not public. It does not listen yet. */
export function createMetricsServer(metrics: MetricsRegistry): Server {
  return createServer((request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { "Content-Type": metrics.contentType, "Cache-Control": "no-store" }).end(text),
      () => response.writeHead(500).end(),
    );
  });
}
