import type { Api } from "../api/api.ts";
import type { Field } from "../fields/read-fields.ts";
import type { Series } from "../series/observations.ts";
import { type Reducer, seriesRequest } from "../series/request.ts";
import { type Interval, statisticsBody } from "../statistics/request.ts";
import type { Statistics } from "../statistics/rows.ts";

import type { Quantity } from "../view/analysis-view.ts";

export type Result =
  | { readonly kind: "series"; readonly series: Series }
  | { readonly kind: "statistics"; readonly statistics: Statistics };

/** The members of a question besides the place. */
export interface Question {
  readonly kind: Result["kind"];
  readonly collection: string;
  readonly measure: Quantity;
  readonly from: string;
  readonly to: string;
  readonly cloud: number;
  readonly keepsClouds: boolean;
  readonly reducer: Reducer;
  readonly interval: Interval;
}

/** An answer and what it cost. */
export interface Answered {
  readonly result: Result;
  /** Units that the answer cost; 0 where the service does not count. */
  readonly units: number;
}

const unitsOf = (response: Response): number => Number(response.headers.get("X-Units-Spent") ?? 0);

/** @throws {ApiError} for an answer that is not 2xx. */
export async function askSeries(
  api: Api,
  question: Question,
  { geometry }: Field,
  signal: AbortSignal,
): Promise<Answered> {
  const request = seriesRequest({ geometry, ...question });
  const response =
    request.method === "GET"
      ? await api.send(request.path, { signal })
      : await api.post(request.path, request.body, { signal });
  return { result: { kind: "series", series: (await response.json()) as Series }, units: unitsOf(response) };
}

/** @throws {ApiError} for an answer that is not 2xx. */
export async function askStatistics(
  api: Api,
  question: Question,
  { geometry }: Field,
  signal: AbortSignal,
): Promise<Answered> {
  if (geometry.type === "Point") throw new TypeError("Statistics are of areas, not of points.");
  const response = await api.post("v1/statistics", statisticsBody({ geometry, ...question }), { signal });
  const statistics = (await response.json()) as Statistics;
  return { result: { kind: "statistics", statistics }, units: unitsOf(response) };
}
