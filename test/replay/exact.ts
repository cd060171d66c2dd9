import { isDeepStrictEqual } from "node:util";
import { bodyObject, type ReplayAnswer, type ReplayRequest } from "./messages.ts";
import type { Exchange, Json } from "./recordings.ts";

/** The recorded answer of a request with the same method, address and body; `undefined` where none was recorded. */
export type ExactAnswers = (request: ReplayRequest) => ReplayAnswer | undefined;

/** Lists of collections are kept in parts, so the stand-ins answer them. */
const NOT_WHOLE = /\/collections(\?.*)?$/;

export function exactAnswers(exchanges: readonly Exchange[]): ExactAnswers {
  const known = new Map<string, { readonly body: unknown; readonly exchange: Exchange }[]>();
  for (const exchange of exchanges) {
    const { method, url, body } = exchange.request;
    if (NOT_WHOLE.test(url)) continue;
    const key = keyOf(method, new URL(url));
    known.set(key, [...(known.get(key) ?? []), { body, exchange }]);
  }
  return (request) => {
    const { method, url, body } = request;
    const sent = body.length === 0 ? undefined : bodyObject(request);
    // the newest of several answers to one request holds: files are named by their year
    const found = known.get(keyOf(method, url))?.findLast((each) => isDeepStrictEqual(each.body, sent));
    return found && answerOf(found.exchange);
  };
}

function keyOf(method: string, url: URL): string {
  return `${method} ${url.origin}${url.pathname.replace(/\/$/, "")}${url.search}`;
}

/** A recorded or quoted answer as it is sent. */
export function answerOf({ response }: Exchange): ReplayAnswer {
  const { status, headers, body } = response;
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { status, headers: lower, ...(body === null || body === undefined ? {} : { body: body as string | Json }) };
}
