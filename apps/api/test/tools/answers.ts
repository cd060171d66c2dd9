import { createArchiveCatalog, createNeighbourhoodSearch } from "@swath/catalog";
import { PROBLEM_MEDIA_TYPE, Problem } from "@swath/problem";
import { syntheticItems, type UpstreamItem } from "@swath/sandbox";
import { expect } from "vitest";
import { LEAN, type TestService, testService } from "./harness.ts";

export interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type?: string;
  readonly method?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly merge?: boolean;
}

export interface Feature {
  readonly id: string;
  readonly collection: string;
  readonly bbox: readonly number[];
  readonly geometry: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, { readonly href: string; readonly [member: string]: unknown }>>;
  readonly links: readonly Link[];
  readonly [member: string]: unknown;
}

export interface Page {
  readonly features: readonly Feature[];
  readonly links: readonly Link[];
  readonly numberMatched?: number;
  readonly numberReturned: number;
}

export async function json<T>(response: Response | Promise<Response>): Promise<T> {
  return (await (await response).json()) as T;
}

/** The path and query of an address of the test service. */
export function path(href: string): string {
  expect(href.startsWith("http://service.test/")).toBe(true);
  return href.slice("http://service.test".length);
}

export function linkOf(document: { readonly links: readonly Link[] }, rel: string): Link | undefined {
  return document.links.find((link) => link.rel === rel);
}

export const idsOf = (page: Page): string[] => page.features.map((feature) => feature.id);

/** A problem document, checked for what all of them have in common. */
export async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get("Content-Type")).toBe(PROBLEM_MEDIA_TYPE);
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  const problem = Problem.parse(await response.json());
  expect(problem.status).toBe(response.status);
  expect(problem.requestId).toBe(response.headers.get("X-Request-Id"));
  expect(problem.type).toBe(`http://service.test/problems/${problem.code}`);
  return problem;
}

/** A service over items without pixels, and those of them that it serves. */
export async function lightService(
  count: number,
  options: Parameters<typeof testService>[1] = {},
): Promise<{ readonly service: TestService; readonly items: readonly UpstreamItem[] }> {
  const all = syntheticItems(count);
  const catalog = createArchiveCatalog({ items: all, registry: LEAN.registry });
  const service = await testService({ catalog, tileScenes: createNeighbourhoodSearch(catalog) }, options);
  const served = /^(sentinel-2[abc]|landsat-[89])$/;
  return { service, items: all.filter((item) => served.test(String(item.properties.platform))) };
}
