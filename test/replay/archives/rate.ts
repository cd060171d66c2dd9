import type { Host, ReplayAnswer } from "../messages.ts";

/**
 * A host that takes a number of requests in any second, and answers those above with `refusal`.
 *
 * @param now milliseconds.
 */
export function limited(host: Host, perSecond: number, refusal: ReplayAnswer, now: () => number): Host {
  const recent: number[] = [];
  return (request) => {
    const time = now();
    while (recent.length > 0 && (recent[0] as number) <= time - 1000) recent.shift();
    if (recent.length >= perSecond) return refusal;
    recent.push(time);
    return host(request);
  };
}
