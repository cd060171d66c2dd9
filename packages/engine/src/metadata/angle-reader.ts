import { CogError, type Source } from "@swath/cog";
import { InFlight } from "@swath/http";
import { LRUCache } from "lru-cache";
import { unavailable, unreadable } from "../run/errors.ts";
import { type GranuleAngles, GranuleMetadataError, readGranuleMetadata, sizeOfAngles } from "./granule-metadata.ts";

/** Reads the angles in granule metadata documents, each once. */
export interface AngleReader {
  /**
   * The angles in the document at an address; `undefined` where it has none.
   *
   * @param sceneId whose document it is, for messages.
   * @throws {Refusal} `upstream-unavailable` where the document cannot be read.
   */
  read(href: string, sceneId: string, signal: AbortSignal): Promise<GranuleAngles | undefined>;
}

/** Largest document that is read; real ones have up to 1 MB. */
export const MAX_METADATA_BYTES = 8 * 1_048_576;
/** Bytes of angles kept: those of about 500 granules. */
const CACHE_BYTES = 32 * 1_048_576;
const NONE = "none";

/** @param sourceFor says from where an address may be read, and how. */
export function createAngleReader(sourceFor: (href: string) => Source): AngleReader {
  const known = new LRUCache<string, GranuleAngles | typeof NONE>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (angles) => (angles === NONE ? 64 : sizeOfAngles(angles)),
  });
  const running = new InFlight<GranuleAngles | typeof NONE>();
  const load = async (href: string, signal: AbortSignal): Promise<GranuleAngles | typeof NONE> => {
    const angles = parsed(await readDocument(sourceFor(href), signal));
    known.set(href, angles);
    return angles;
  };
  return {
    async read(href, sceneId, signal) {
      signal.throwIfAborted();
      try {
        const angles = known.get(href) ?? (await running.share(href, (own) => load(href, own), signal));
        return angles === NONE ? undefined : angles;
      } catch (error) {
        if (!(error instanceof CogError || error instanceof GranuleMetadataError)) throw error;
        const what = `The angles of scene ${sceneId} could not be read`;
        throw error instanceof CogError ? unreadable(what, error) : unavailable(`${what}.`, { cause: error });
      }
    },
  };
}

async function readDocument(source: Source, signal: AbortSignal): Promise<string> {
  try {
    const bytes = await source.read(0, MAX_METADATA_BYTES + 1, { signal });
    if (bytes.byteLength > MAX_METADATA_BYTES) throw new CogError("too-large", "A metadata document is too large.");
    return new TextDecoder().decode(bytes);
  } finally {
    await source.close?.();
  }
}

function parsed(text: string): GranuleAngles | typeof NONE {
  try {
    return readGranuleMetadata(text);
  } catch (error) {
    if (error instanceof GranuleMetadataError && error.code === "no-angles") return NONE;
    throw error;
  }
}
