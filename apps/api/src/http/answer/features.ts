import { factsOfAll } from "@swath/engine/results";
import { textAnswer } from "@swath/web/answers";
import { CSV, CSV_WITH_HEADER } from "../../documents/media-types.ts";
import { NO_STORE } from "./documents.ts";

/** Results of several features as an answer, whose text is made while it is sent. */
export function featuresAnswer(
  parts: Iterable<string>,
  type: string,
  features: Parameters<typeof factsOfAll>[0],
): Response {
  const { attribution } = factsOfAll(features);
  return textAnswer(parts, {
    "Content-Type": type === CSV ? CSV_WITH_HEADER : type,
    "Cache-Control": NO_STORE,
    Vary: "Accept",
    ...(attribution.length === 0 ? {} : { "X-Attribution": attribution.join("; ") }),
  });
}
