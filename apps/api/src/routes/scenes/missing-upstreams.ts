/** The header of an answer that lacks what upstreams have, as OpenAPI describes it. */
export const MISSING_HEADER = {
  "X-Upstreams-Missing": {
    description: "Names of upstreams that did not answer, by commas: what they have is missing.",
    schema: { type: "string" },
  },
} as const;

/** @param upstreams names; `undefined`: nothing is missing. */
export function missingHeaders(upstreams: readonly string[] | undefined): Readonly<Record<string, string>> {
  return upstreams === undefined ? {} : { "X-Upstreams-Missing": upstreams.join(", ") };
}
