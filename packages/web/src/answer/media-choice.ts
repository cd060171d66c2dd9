import { parseAccept } from "hono/utils/accept";

/** Weights, 0 to 1, of the names in a header such as Accept, in lower case (RFC 9110, section 12.4.2). */
export function weightsOf(header: string | undefined): ReadonlyMap<string, number> {
  const named = parseAccept(header ?? "").map(({ type, q }) => [type.toLowerCase(), q] as const);
  // of a name that is there twice the one that is liked better counts
  return new Map(named.reverse());
}

/**
 * The media type that an Accept header names and the client likes best (RFC 9110, section 12.5.1). Wildcards over all
 * types choose nothing, as does a header that names none of the types.
 *
 * @param types media types without parameters; of equally liked ones the first is chosen
 */
export function chooseMediaType<T extends string>(accept: string | undefined, types: readonly T[]): T | undefined {
  const weights = weightsOf(accept);
  let best: { readonly type: T; readonly weight: number } | undefined;
  for (const type of types) {
    const weight = weights.get(type) ?? weights.get(`${type.split("/")[0]}/*`) ?? 0;
    if (weight > (best?.weight ?? 0)) best = { type, weight };
  }
  return best?.type;
}
