import { DocumentError, isJson, type Json, openFile, readJson } from "../folder/read-json.ts";
import { MAX_DOCUMENT_BYTES, MAX_ITEM_BYTES } from "../limits.ts";
import type { Refusals } from "../refusals.ts";

/** Files of one item a line. */
const LINES = /\.(ndjson|jsonl|geojsonl)$/i;

/**
 * The items of a document: of a Feature, of a FeatureCollection, or of lines. Documents of other kinds have none.
 *
 * @param path relative to the folder.
 * @throws {DocumentError} for a document that is not taken as a whole.
 */
export async function* itemsOf(directory: string, path: string, refusals: Pick<Refusals, "add">): AsyncGenerator<Json> {
  if (LINES.test(path)) {
    yield* itemsOfLines(directory, path, refusals);
    return;
  }
  const document = await readJson(directory, path, MAX_DOCUMENT_BYTES);
  if (!isJson(document)) return;
  const features = document.type === "FeatureCollection" ? document.features : [document];
  if (!Array.isArray(features)) return;
  for (const [i, feature] of features.entries()) {
    if (!isJson(feature) || feature.type !== "Feature") continue;
    if (features.length === 1 || JSON.stringify(feature).length <= MAX_ITEM_BYTES) yield feature;
    else refusals.add(path, `feature ${i}: an item of more than ${MAX_ITEM_BYTES} bytes`);
  }
}

async function* itemsOfLines(directory: string, path: string, refusals: Pick<Refusals, "add">): AsyncGenerator<Json> {
  const handle = await openFile(directory, path);
  try {
    let number = 0;
    for await (const line of boundedLines(handle.createReadStream({ autoClose: false }))) {
      number++;
      if (line === undefined) {
        refusals.add(path, `line ${number}: an item of more than ${MAX_ITEM_BYTES} bytes`);
        continue;
      }
      if (line.trim() === "") continue;
      try {
        const item: unknown = JSON.parse(line);
        if (!isJson(item) || item.type !== "Feature") throw new DocumentError("no Feature");
        yield item;
      } catch (error) {
        if (!(error instanceof SyntaxError || error instanceof DocumentError)) throw error;
        refusals.add(path, `line ${number}: ${error instanceof SyntaxError ? "not JSON" : error.message}`);
      }
    }
  } finally {
    await handle.close();
  }
}

/** Lines of a stream; `undefined` for one that is too long, of which no more than that is held. */
async function* boundedLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string | undefined> {
  let held: Buffer[] = [];
  let length = 0;
  const take = (): string | undefined => {
    const line = length > MAX_ITEM_BYTES ? undefined : Buffer.concat(held).toString("utf8");
    [held, length] = [[], 0];
    return line;
  };
  const hold = (part: Buffer): void => {
    length += part.length;
    if (length <= MAX_ITEM_BYTES) held.push(part);
    else held = [];
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      hold(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    hold(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
