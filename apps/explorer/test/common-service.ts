import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import "./provided.ts";
import { type Service, startService } from "./service.ts";

/** Rates that test files side by side stay under, all with one key. */
const RATES = {
  SWATH_LIMIT_KEY_RPS: "10000",
  SWATH_LIMIT_KEY_BURST: "10000",
  SWATH_LIMIT_SERVICE_RPS: "10000",
  SWATH_LIMIT_SERVICE_BURST: "10000",
};

/**
 * Starts a service for the test files of a run that leave nothing in one, when the first of them asks for its address. It
 * ends with the run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let service: Promise<Service> | undefined;
  const server = createServer((_, response) => {
    service ??= startService(project.getProvidedContext().sandbox, RATES);
    service.then(
      ({ url }) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  project.provide("commonService", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    await service?.then(
      (started) => started.stop(),
      () => {},
    );
  };
}
