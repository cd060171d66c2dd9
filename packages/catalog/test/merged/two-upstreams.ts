import { createRegistry } from "@swath/schema";
import { collectionFile, landsatFile, plainFile, sentinelFile } from "../collection-files.ts";
import type { Document } from "../fixtures.ts";

const sentinel = plainFile(sentinelFile());

/** Sentinel-2 at the upstream `default`, all of Landsat at the one called `second`. */
export const twoUpstreams = createRegistry([
  sentinel,
  ...[landsatFile(), collectionFile("landsat-etm-l2"), collectionFile("landsat-tm-l2")].map((file) => ({
    ...file,
    upstream: { ...file.upstream, name: "second" },
  })),
]);

/** Whether an upstream's item is one of the first. */
export const isSentinel = ({ collection }: Document): boolean => collection === sentinel.upstream.collection;
