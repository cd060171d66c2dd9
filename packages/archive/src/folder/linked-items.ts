import { CogError } from "@swath/cog";
import { checkFile } from "@swath/engine/node/files";
import { MAX_DOCUMENT_BYTES, MAX_ENTRIES } from "../limits.ts";
import type { Refusals } from "../refusals.ts";
import { fileOf, targetOf } from "./paths.ts";
import { DocumentError, isJson, type Json, readJson } from "./read-json.ts";
import { type FolderFile, statFile } from "./walk.ts";

/** Relations that lead down from a catalog. */
const DOWN: ReadonlySet<unknown> = new Set(["child", "item", "items"]);

/**
 * The item documents of a static catalog, found by the links of its catalogs and collections, each once. Links to other
 * hosts and out of the folder are not followed.
 *
 * @param root path of the first document, relative to the folder.
 */
export async function* linkedItems(
  directory: string,
  root: string,
  refusals: Refusals,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<FolderFile> {
  const seen = new Set([root]);
  const waiting = [root];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const { rel, target } of await linksOf(directory, path, refusals)) {
      signal?.throwIfAborted();
      if (seen.has(target)) continue;
      if (seen.size >= MAX_ENTRIES) {
        refusals.add(target, `more than ${MAX_ENTRIES} documents: this one and those that follow are not read`);
        return;
      }
      seen.add(target);
      if (rel === "child") waiting.push(target);
      else {
        const file = await checkedFile(directory, target, refusals);
        if (file !== undefined) yield file;
      }
    }
  }
}

async function checkedFile(directory: string, path: string, refusals: Refusals): Promise<FolderFile | undefined> {
  try {
    await checkFile(directory, path);
  } catch (error) {
    if (!(error instanceof CogError)) throw error;
    refusals.add(path, "a link leads there, but it is no regular file of the folder");
    return undefined;
  }
  return statFile(directory, path, refusals);
}

interface Link {
  readonly rel: string;
  readonly target: string;
}

async function linksOf(directory: string, path: string, refusals: Refusals): Promise<readonly Link[]> {
  const document = await readDocument(directory, path, refusals);
  const links: readonly unknown[] = Array.isArray(document?.links) ? document.links : [];
  return links.flatMap((link): Link[] => {
    if (!isJson(link) || !DOWN.has(link.rel) || typeof link.href !== "string") return [];
    const target = targetOf(directory, path, link.href);
    if (target.kind === "inside") return [{ rel: String(link.rel), target: fileOf(directory, target) }];
    refusals.add(path, target.kind === "remote" ? "a link to another host, which is not followed" : target.reason);
    return [];
  });
}

async function readDocument(directory: string, path: string, refusals: Refusals): Promise<Json | undefined> {
  try {
    const document = await readJson(directory, path, MAX_DOCUMENT_BYTES);
    return isJson(document) ? document : undefined;
  } catch (error) {
    if (!(error instanceof DocumentError || error instanceof CogError)) throw error;
    refusals.add(path, error.message);
    return undefined;
  }
}
