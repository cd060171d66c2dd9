import { z } from "@hono/zod-openapi";
import { toUnits } from "@swath/accounts";
import { permitsAny } from "@swath/accounts/hono";
import {
  type FinishedImages,
  type ImagePayment,
  MEDIA_TYPES,
  type PlannedImage,
  type RenderedImage,
} from "@swath/engine/node/images";
import { conditional } from "@swath/web/answers";
import { ProblemError } from "../../errors/problems.ts";
import { NO_STORE, sharedByMap } from "../../http/answer/documents.ts";
import { SKIPPED_HEADER, skippedHeader } from "../../http/answer/scenes-skipped.ts";
import { type AppContext, mapOf } from "../../http/request/context.ts";
import { MISSING_HEADER, missingHeaders } from "../scenes/missing-upstreams.ts";

const binary = z.any().openapi({ type: "string", format: "binary" });
export const IMAGE_RESPONSES = {
  200: {
    description: "The image.",
    headers: {
      "X-Attribution": { description: "Credit line to show with the image.", schema: { type: "string" } },
      "X-Scenes-Used": { description: "Scenes that gave pixels.", schema: { type: "integer" } },
      "X-Scenes-Truncated": {
        description: "`true` when more scenes would have been needed.",
        schema: { type: "string" },
      },
      "X-Rescale": {
        description: "Ranges of the values that percentiles stand for: `min,max`, for each band.",
        schema: { type: "string" },
      },
      ...SKIPPED_HEADER,
      ...MISSING_HEADER,
    },
    content: Object.fromEntries(Object.values(MEDIA_TYPES).map((type) => [type, { schema: binary }])),
  },
} as const;

/** An image that is not whole yet is asked for again soon. */
const CACHE_FILLING = "private, max-age=10";

export interface ImageOptions {
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ImageRequest {
  /** Address of the image, in one form for all spellings of the request. */
  readonly address: string;
  /** Searches and plans; no pixel is read. */
  plan(): Promise<{ readonly planned: PlannedImage } & ImageOptions>;
}

/**
 * Answers a request for an image: 304 before a pixel is read, else the image, from the cache where it is there. An image
 * that lacks scenes is never cached.
 *
 * @throws {ProblemError} `invalid-key` where the caller sees finished images alone, and this one is none.
 */
export async function sendImage(c: AppContext, images: FinishedImages, request: ImageRequest): Promise<Response> {
  if (!permitsAny(c.get("identity"), ["data", "tiles", "map"])) return sendFinished(c, images, request.address);
  const { planned, cacheControl: own, headers = {} } = await request.plan();
  const cacheControl = mapOf(c) === undefined ? own : sharedByMap(own);
  const isLacking = planned.missing !== undefined;
  const { isFilling = false } = planned;
  const facts = {
    etag: planned.plan.etag,
    cacheControl: isLacking ? NO_STORE : isFilling ? CACHE_FILLING : cacheControl,
  };
  // what is remembered is answered to others than those of a map
  const remembered = { ...facts, cacheControl: isLacking ? NO_STORE : own };
  const sent = { ...headers, ...missingHeaders(planned.missing) };
  return conditional(c, { ...facts, headers: sent }, async () => {
    const options = { signal: c.get("signal"), payment: paymentOf(c) };
    const { image, attribution, skipped } = await images.finish(request.address, planned, remembered, options);
    return imageResponse({ ...image, truncated: image.truncated || isFilling }, attribution, skipped);
  });
}

/** The payment of an image by the caller of a request. */
function paymentOf(c: AppContext): ImagePayment {
  const meter = c.get("meter");
  return {
    admit: (units) => meter.admit(toUnits(units)),
    isLikely: (units) => meter.isLikely(toUnits(units)),
    lower: (units) => meter.lower(toUnits(units)),
    whenEnded: (listener) => meter.whenEnded(listener),
  };
}

/**
 * The ranges of an image that is drawn between percentiles of its values: of one that is finished where the caller sees no others.
 *
 * @throws {ProblemError} `invalid-key` as {@link sendImage}, `not-found` for a view without data.
 */
export async function rangesOfView(
  c: AppContext,
  images: FinishedImages,
  request: ImageRequest,
): Promise<NonNullable<RenderedImage["ranges"]>> {
  const known = await images.recall(request.address);
  if (known === undefined && !permitsAny(c.get("identity"), ["data", "tiles", "map"])) {
    throw c.get("missingCredential")(
      "Percentiles of a view that nobody has asked for need a credential: send an API key.",
    );
  }
  const { ranges } = known?.image ?? (await draw(c, images, request));
  if (ranges !== undefined) return ranges;
  throw new ProblemError("not-found", "No scene has data in the view: its percentiles are not known.");
}

async function draw(c: AppContext, images: FinishedImages, request: ImageRequest): Promise<RenderedImage> {
  const { planned, cacheControl } = await request.plan();
  const options = { signal: c.get("signal"), payment: paymentOf(c) };
  const facts = { etag: planned.plan.etag, cacheControl };
  return (await images.finish(request.address, planned, facts, options)).image;
}

/** Ranges as an address has them: `min,max`, for each band. */
export const rangesText = (ranges: NonNullable<RenderedImage["ranges"]>): string => ranges.flat().join(",");

/** Answers with an image that was finished before; nothing is searched, planned or rendered. */
async function sendFinished(c: AppContext, images: FinishedImages, address: string): Promise<Response> {
  const known = await images.recall(address);
  if (known === undefined) {
    const detail =
      "Without a credential only images that are finished already are sent, and this one is not: send an API key.";
    throw c.get("missingCredential")(detail);
  }
  // it is the same for everybody who has no key, and nobody else is sent it: caches on the way may share it
  const cacheControl = known.cacheControl.replace("private", "public");
  return conditional(c, { ...known, cacheControl }, () => imageResponse(known.image, known.attribution, []));
}

function imageResponse(image: RenderedImage, attribution: string, skipped: readonly string[]): Response {
  return new Response(image.bytes, {
    headers: {
      "Content-Type": MEDIA_TYPES[image.format],
      "Content-Length": String(image.bytes.byteLength),
      "X-Attribution": attribution,
      "X-Scenes-Used": String(image.used.length),
      ...(image.truncated ? { "X-Scenes-Truncated": "true" } : {}),
      ...(image.ranges === undefined ? {} : { "X-Rescale": rangesText(image.ranges) }),
      ...(skipped.length === 0 ? {} : { ...skippedHeader(skipped), "Cache-Control": NO_STORE }),
    },
  });
}
