import type { Identity } from "@swath/accounts";
import { type AccountVariables, MAP_PATH, mapSecretIn } from "@swath/accounts/hono";
import type { WebEnv } from "@swath/web";
import type { Context } from "hono";
import type { Authentication } from "../../documents/authentication.ts";
import { ProblemError } from "../../errors/problems.ts";
import type { MemberNames } from "../../errors/refusals.ts";

/** Variables that middleware sets for handlers. */
export interface Variables extends AccountVariables {
  /** The authentication of callers of this service, for STAC documents. */
  authentication: () => Authentication;
  /** Names of the members of the engine's request in this route. */
  members?: MemberNames;
}

export type AppEnv = { Variables: Variables; Bindings: WebEnv["Bindings"] };
export type AppContext = Context<AppEnv>;

/** Returns the map whose token is in the address of a request. */
export function mapOf(c: AppContext): Identity["map"] {
  // routes that everybody may call have no identity
  return (c.get("identity") as Identity | undefined)?.map;
}

/** Returns the address below which routes of images are: of a request with a map token, that of the token. */
export function apiUrlOf(c: AppContext): string {
  const baseUrl = c.get("baseUrl");
  return mapOf(c) === undefined ? `${baseUrl}/v1` : `${baseUrl}${MAP_PATH}/${mapSecretIn(c.req.path)}`;
}

/** Whether the map of a request shows a preset and a collection; a request without one asks for anything. */
export function isShownByMap(c: AppContext, asked: { readonly preset: string; readonly collection: string }): boolean {
  const { presets, collections } = mapOf(c) ?? {};
  return (presets?.includes(asked.preset) ?? true) && (collections?.includes(asked.collection) ?? true);
}

/** @throws {ProblemError} `insufficient-scope` for a preset or collection that the map of a request does not show. */
export function checkMap(c: AppContext, asked: { readonly preset: string; readonly collection: string }): void {
  if (isShownByMap(c, asked)) return;
  throw new ProblemError("insufficient-scope", `This map does not show ${asked.preset} of ${asked.collection}.`);
}
