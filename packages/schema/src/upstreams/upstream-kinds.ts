import type { UpstreamKindFile } from "../file/upstream-kind-file.ts";
import { UPSTREAM_KIND_FILES } from "./generated.ts";

/** Id of the kind of a STAC API of which nothing more is known. */
const UNKNOWN_KIND = "stac-api";

/** The built-in kinds of upstreams. */
export const UPSTREAM_KINDS: readonly UpstreamKindFile[] = UPSTREAM_KIND_FILES;

/** The kind with this id; `undefined` when there is none. Those of `own` come before the built-in ones. */
export function findUpstreamKind(id: string, own: readonly UpstreamKindFile[] = []): UpstreamKindFile | undefined {
  return [...own, ...UPSTREAM_KINDS].find((kind) => kind.id === id);
}

/**
 * The kind of the upstream at an address: the first one that names its host, else that of a STAC API of which nothing
 * more is known.
 *
 * @param address of the API's root.
 * @param own kinds that come before the built-in ones.
 */
export function upstreamKindOf(address: string, own: readonly UpstreamKindFile[] = []): UpstreamKindFile {
  const host = URL.canParse(address) ? new URL(address).host.toLowerCase() : "";
  const named = [...own, ...UPSTREAM_KINDS].find(({ hosts = [] }) => hosts.some((pattern) => isHost(pattern, host)));
  const unknown = named ?? findUpstreamKind(UNKNOWN_KIND, own);
  if (unknown === undefined) throw new Error(`No kind of upstream is called "${UNKNOWN_KIND}".`);
  return unknown;
}

function isHost(pattern: string, host: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;
}
