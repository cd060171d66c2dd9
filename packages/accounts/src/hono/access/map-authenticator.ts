import type { MapLookup } from "../../maps/map-lookup.ts";
import type { Authenticator } from "./authenticator.ts";

/** The path below which addresses have a map token as their next part. */
export const MAP_PATH = "/v1/m";
const IN_PATH = new RegExp(`^${MAP_PATH}/([^/]*)`);

/** Returns the map token in a path; undefined where the path has no place for one. */
export function mapSecretIn(path: string): string | undefined {
  return IN_PATH.exec(path)?.[1];
}

/** Returns a path with asterisks in the place of a map token, as logs and problems may show it. */
export function withoutMapSecret(path: string): string {
  return path.replace(IN_PATH, `${MAP_PATH}/***`);
}

/** Reads the map token of an address. */
export function mapAuthenticator(maps: MapLookup): Authenticator {
  return {
    kinds: ["map"],
    read: ({ path }) => mapSecretIn(path?.() ?? ""),
    identify: (secret, { header }) => maps.identify(secret, header("Origin")),
    invalidDetail: "The map of this address is unknown, expired or ended.",
  };
}
