/**
 * The media type that an Accept header names and the client likes best (RFC 9110, section 12.5.1). Wildcards over all
 * types choose nothing, as does a header that names none of the types.
 *
 * @param types media types without parameters; of equally liked ones the first is chosen
 */
export function chooseMediaType<T extends string>(accept: string | undefined, types: readonly T[]): T | undefined {
  let best: { readonly type: T; readonly weight: number } | undefined;
  const ranges = (accept ?? "").toLowerCase().split(",").map(rangeOf);
  for (const type of types) {
    const own = ranges.find(({ name }) => name === type) ?? ranges.find(({ name }) => name === groupOf(type));
    if (own !== undefined && own.weight > (best?.weight ?? 0)) best = { type, weight: own.weight };
  }
  return best?.type;
}

const groupOf = (type: string): string => `${type.split("/")[0]}/*`;

function rangeOf(text: string): { readonly name: string; readonly weight: number } {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim());
  const q = parameters.find((part) => part.startsWith("q="));
  return { name, weight: q === undefined ? 1 : Number(q.slice(2)) || 0 };
}
