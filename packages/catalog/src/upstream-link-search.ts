import type { TokenPage } from "./catalog.ts";
import type { PageEnd } from "./page-end.ts";
import { fromToken, isTokenOfLength, type SortValue, tokenIfShort, toToken } from "./token.ts";
import type { UpstreamClient, UpstreamPage } from "./upstream-client.ts";
import { type LinkedAnswer, type LinkPosition, walkLinks } from "./upstream-links.ts";
import { isMadeOfValues, type UpstreamOrder } from "./upstream-order.ts";
import type { UpstreamPlan } from "./upstream-plan.ts";
import {
  firstStep,
  isFirst,
  MAX_PAGE,
  parseStep,
  type Step,
  stepText,
  toPageRequest,
  toStep,
} from "./upstream-step.ts";

/** First page of a search of which a filter applied here drops items. */
const FILTERED_PAGE = 100;
/** Values in a token: step, index, anchor, count, whether there is a way back. */
const WIDTH = 5;

export interface LinkSearch {
  readonly client: UpstreamClient;
  readonly plan: UpstreamPlan;
  readonly hash: string;
  readonly limit: number;
  readonly mustEnd: PageEnd;
  readonly position: LinkPosition | undefined;
  /** The whole answer to the first step, where it was received already. */
  readonly first?: { readonly size: number; readonly page: UpstreamPage } | undefined;
  /** Called where a page shows whether its token is made of sort values. */
  readonly onTokens: (areOwn: boolean) => void;
  readonly signal: AbortSignal | undefined;
}

/** One page of a search by the upstream's own links, which our tokens carry. */
export async function linkSearch(search: LinkSearch): Promise<TokenPage> {
  const { client, plan, hash, position, limit, first } = search;
  const body = { ...plan.body, sortby: plan.order.fields };
  const toLinked = (page: UpstreamPage): LinkedAnswer => ({
    items: page.items,
    matched: page.matched,
    next: page.next && toStep(page.next, body, client.searchUrl),
    prev: page.prev && previousStep(page, body, client.searchUrl),
  });
  const ask = async (step: Step): Promise<LinkedAnswer> => {
    const options = { signal: search.signal, hasToken: position !== undefined };
    if (isFirst(step) && step.method === "POST") {
      const page = first?.page ?? (await client.search({ ...body, ...step.set }, options));
      noteTokens(page, plan.order, search.onTokens);
      return toLinked(page);
    }
    return toLinked(await client.page(toPageRequest(step, body, client.searchUrl), options));
  };
  const size = first?.size ?? Math.min(MAX_PAGE, plan.isFiltered ? Math.max(limit, FILTERED_PAGE) : limit);
  const { isFiltered, accept } = plan;
  const walk = { ask, accept, first: firstStep(size), position, limit, isFiltered, mustEnd: search.mustEnd };
  const { items, matched, next, prev, at } = await walkLinks(walk);
  const token = (to: LinkPosition): string => toLinkToken(hash, to);
  const previous = prev && tokenIfShort(() => token(prev));
  return {
    items,
    ...(matched === undefined || isFiltered ? {} : { numberMatched: matched }),
    ...(next === undefined ? {} : { next: token(next) }),
    ...(previous === undefined ? {} : { prev: previous }),
    tokenAt: (index, direction) => {
      const to = at(index, direction);
      return direction === "next" ? to && token(to) : to && tokenIfShort(() => token(to));
    },
  };
}

/** A link to the previous page that cannot be followed is none: the page is whole without it. */
function previousStep(page: UpstreamPage, body: UpstreamPlan["body"], searchUrl: string): Step | undefined {
  try {
    return page.prev && toStep(page.prev, body, searchUrl);
  } catch {
    return undefined;
  }
}

function noteTokens(page: UpstreamPage, order: UpstreamOrder, onTokens: LinkSearch["onTokens"]): void {
  const isMade = order.isTotal ? isMadeOfValues(page, order) : undefined;
  if (isMade !== undefined) onTokens(!isMade);
}

function toLinkToken(hash: string, { direction, step, index, anchor, before, canReturn }: LinkPosition): string {
  const values: SortValue[] = [stepText(step), index ?? null, anchor ?? null, before ?? null, canReturn];
  return toToken("upstream", hash, { direction, values });
}

/** @returns `undefined` for a token of the other kind, made of sort values. @throws {CatalogError} `invalid-token`. */
export function findLinkPosition(hash: string, token: string): LinkPosition | undefined {
  if (!isTokenOfLength(WIDTH, token)) return undefined;
  let step: Step | undefined;
  const isCount = (value: SortValue | undefined): boolean =>
    value === null || (Number.isSafeInteger(value) && Number(value) >= 0);
  const fits = ([text, index, anchor, before, canReturn]: readonly SortValue[]): boolean => {
    step = typeof text === "string" ? parseStep(text) : undefined;
    return (
      step !== undefined &&
      isCount(index) &&
      (anchor === null || typeof anchor === "string") &&
      isCount(before) &&
      typeof canReturn === "boolean"
    );
  };
  const { direction, values } = fromToken("upstream", hash, fits, token);
  const [, index, anchor, before, canReturn] = values as [string, number | null, string | null, number | null, boolean];
  return {
    direction,
    step: step as unknown as Step,
    index: index ?? undefined,
    anchor: anchor ?? undefined,
    before: before ?? undefined,
    canReturn,
  };
}
