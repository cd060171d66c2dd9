import { createHmac, randomUUID } from "node:crypto";
import type { Shelf } from "../files/shelf.ts";
import { fileAnswer, type Host, json, type ReplayAnswer, xmlError } from "../messages.ts";
import type { Json } from "../recordings.ts";

/** Storage of Planetary Computer and the service that hands out tokens for it. */
export interface AzureStorage {
  readonly blobs: Host;
  readonly tokens: Host;
  /** Makes all tokens that were handed out until now unusable, as if their time were over. */
  expireTokens(): void;
}

/** Accounts whose files anybody may read. */
const PUBLIC_ACCOUNTS = new Set(["ai4edatasetspublicassets"]);
const LIFE_MS = 45 * 60_000;

/**
 * @param shelf files by their real addresses.
 * @param collections documents whose `msft:` members name the account and container of a collection.
 * @param now milliseconds since 1970.
 */
export function azureStorage(shelf: Shelf, collections: ReadonlyMap<string, Json>, now: () => number): AzureStorage {
  const secret = randomUUID();
  /** Tokens from before this time are over. */
  let notBefore = 0;
  const sign = (container: string, start: string, end: string): string =>
    createHmac("sha256", secret).update(`${container} ${start} ${end}`).digest("base64");

  return {
    tokens: ({ url }) => {
      const path = url.pathname.replace(/^.*\/token\//, "");
      const container = path.includes("/") ? path : containerOf(collections.get(path));
      if (container === undefined) return json({ detail: "Not Found" }, 404);
      const start = new Date(now()).toISOString();
      const end = new Date(now() + LIFE_MS).toISOString();
      const query = new URLSearchParams({ st: start, se: end, sp: "rl", sr: "c", sig: sign(container, start, end) });
      return json({ "msft:expiry": end, token: String(query) });
    },
    blobs: async (request) => {
      const { url } = request;
      const account = url.hostname.replace(".blob.core.windows.net", "");
      const container = `${account}/${url.pathname.split("/")[1]}`;
      const refusal = PUBLIC_ACCOUNTS.has(account) ? undefined : refusalOf(url, container);
      if (refusal !== undefined) return refusal;
      const file = shelf.find(`${url.origin}${url.pathname}`);
      const bytes = file && (await shelf.read(file));
      if (bytes === undefined) return xmlError(404, "BlobNotFound", "The specified blob does not exist.");
      return fileAnswer(request, bytes, { "x-ms-blob-type": "BlockBlob" });
    },
    expireTokens: () => {
      notBefore = now() + 1;
    },
  };

  function refusalOf({ searchParams }: URL, container: string): ReplayAnswer | undefined {
    const signature = searchParams.get("sig");
    if (signature === null) {
      return xmlError(409, "PublicAccessNotPermitted", "Public access is not permitted on this storage account.");
    }
    const [start, end] = [searchParams.get("st") ?? "", searchParams.get("se") ?? ""];
    const isOver = Date.parse(end) < now() || Date.parse(start) < notBefore;
    if (signature === sign(container, start, end) && !isOver) return undefined;
    const message =
      "Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.";
    const detail = `Signature not valid in the specified time frame: Start [${start}] - Expiry [${end}]`;
    const inner = `<AuthenticationErrorDetail>${detail}</AuthenticationErrorDetail>`;
    return xmlError(403, "AuthenticationFailed", message, inner);
  }
}

function containerOf(collection: Json | undefined): string | undefined {
  const account = collection?.["msft:storage_account"];
  const container = collection?.["msft:container"];
  return account === undefined || container === undefined ? undefined : `${account}/${container}`;
}
