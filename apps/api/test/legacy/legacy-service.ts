import type { Services } from "../../src/operations/services.ts";
import { KEY, leanApp, sandboxServices } from "../tools/harness.ts";

/** A service asked at its legacy hosts, whose answers no OpenAPI document describes. */
export interface LegacyService {
  /** Asks with the key, written as clients of the old hosts write it. `address` is a path or absolute. */
  get(address: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  post(address: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  request(address: string, init?: RequestInit): Promise<Response>;
}

export const ORIGIN = "http://service.test";

export async function legacyService(replaced: Partial<Services> = {}): Promise<LegacyService> {
  const app = leanApp(await sandboxServices(replaced));
  const request = async (address: string, init?: RequestInit): Promise<Response> =>
    app.request(new URL(address, ORIGIN).href, init);
  return {
    request,
    get: (address, headers = {}) => request(address, { headers: { "x-api-key": KEY, ...headers } }),
    post: (address, body, headers = {}) =>
      request(address, {
        method: "POST",
        headers: { "x-api-key": KEY, "Content-Type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}
