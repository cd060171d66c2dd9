import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Account, sha256, verify, type WireRequest } from "./s3-signature.ts";

export interface S3ServerOptions {
  readonly region?: string;
  /** Whose keys are good. Default: an account with a secret of its own. */
  readonly accessKeyId?: string;
  /** Buckets whose reader pays: requests for them need `x-amz-request-payer: requester`. */
  readonly requesterPays?: readonly string[];
  /** Gives the bytes of objects that were not uploaded, such as files of an archive. */
  readonly lookUp?: (bucket: string, key: string) => Promise<Uint8Array | undefined>;
  /** Seen before the request is judged: true when it has answered. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;
  readonly now?: () => number;
}

/** A request that the server received: `verdict` is "ok" or the code of its refusal. */
export interface S3Record {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
  readonly verdict: string;
}

export interface S3Server {
  readonly endpoint: string;
  readonly account: Account;
  readonly region: string;
  /** `bucket/key` to bytes. */
  readonly objects: Map<string, StoredObject>;
  /** Multipart uploads that were neither completed nor aborted. */
  readonly uploads: ReadonlyMap<string, unknown>;
  readonly records: S3Record[];
  close(): Promise<void>;
}

export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly modified: number;
  readonly etag: string;
}

interface Upload {
  readonly name: string;
  readonly parts: Map<number, { readonly bytes: Buffer; readonly etag: string }>;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message = code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const STATUSES: Readonly<Record<string, number>> = {
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  InvalidRequest: 400,
  InvalidArgument: 400,
};
const XML = { "Content-Type": "application/xml" };
/** Smallest part but the last. */
const SMALLEST_PART = 5 << 20;

const md5 = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");
const escapeXml = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** The range of a header, as far as the object has it; readers here ask for the form `bytes=first-last` alone. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | undefined {
  if (header === undefined) return undefined;
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header) ?? [];
  const start = Number(first);
  if (!(start < size)) throw new Refusal(416, "InvalidRange");
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

/**
 * A strict S3-compatible server in memory, for tests: objects, ranges, multipart uploads and listings by path-style
 * addresses. It refuses what Amazon S3 refuses: bad and missing signatures, unsigned `x-amz-` headers, bodies that are
 * not what was signed, links that have ended, and readers who do not say that they pay.
 */
export async function startS3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const { region = "us-west-2", requesterPays = [], now = Date.now, accessKeyId = "AKIASWATHTEST0000001" } = options;
  const account: Account = { accessKeyId, secretAccessKey: `secret/${randomUUID()}+s3` };
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, Upload>();
  const records: S3Record[] = [];

  const keep = (name: string, bytes: Uint8Array, etag: string): void =>
    void objects.set(name, { bytes, modified: now(), etag });

  const judge = (incoming: IncomingMessage, body: Buffer, bucket: string): void => {
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const request: WireRequest = { method: incoming.method ?? "", target: incoming.url ?? "", headers };
    const verdict = verify(request, account, region, now());
    if (!verdict.good) throw new Refusal(STATUSES[verdict.code] ?? 403, verdict.code, verdict.why);
    if (verdict.payloadHash !== "UNSIGNED-PAYLOAD" && verdict.payloadHash !== sha256(body)) {
      throw new Refusal(400, "XAmzContentSHA256Mismatch");
    }
    const pays =
      headers["x-amz-request-payer"] ?? new URL(request.target, "http://s3").searchParams.get("x-amz-request-payer");
    if (requesterPays.includes(bucket) && pays !== "requester")
      throw new Refusal(403, "AccessDenied", "Requester pays.");
  };

  const find = async (bucket: string, key: string): Promise<StoredObject | undefined> => {
    const known = objects.get(`${bucket}/${key}`);
    if (known !== undefined) return known;
    const bytes = await options.lookUp?.(bucket, key);
    return bytes === undefined ? undefined : { bytes, modified: 0, etag: md5(bytes) };
  };

  const send = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    bucket: string,
    key: string,
  ): Promise<void> => {
    const object = await find(bucket, key);
    if (object === undefined) throw new Refusal(404, "NoSuchKey");
    const range = rangeOf(incoming.headers.range, object.bytes.byteLength);
    const { start, end } = range ?? { start: 0, end: object.bytes.byteLength - 1 };
    const part = object.bytes.subarray(start, end + 1);
    outgoing.writeHead(range === undefined ? 200 : 206, {
      "Accept-Ranges": "bytes",
      "Content-Length": part.byteLength,
      "Content-Type": "binary/octet-stream",
      ETag: `"${object.etag}"`,
      "Last-Modified": new Date(object.modified).toUTCString(),
      ...(range === undefined ? {} : { "Content-Range": `bytes ${start}-${end}/${object.bytes.byteLength}` }),
    });
    outgoing.end(incoming.method === "HEAD" ? undefined : part);
  };

  const list = (outgoing: ServerResponse, bucket: string, query: URLSearchParams): void => {
    const prefix = `${bucket}/${query.get("prefix") ?? ""}`;
    const after = query.get("continuation-token") ?? "";
    const limit = Number(query.get("max-keys") ?? 1000);
    const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort();
    const page = names.slice(0, limit);
    const contents = page.map((name) => {
      const { modified, bytes } = objects.get(name) as StoredObject;
      const key = escapeXml(name.slice(bucket.length + 1));
      return `<Contents><Key>${key}</Key><LastModified>${new Date(modified).toISOString()}</LastModified><Size>${bytes.byteLength}</Size></Contents>`;
    });
    const more = names.length > page.length;
    const next = more ? `<NextContinuationToken>${escapeXml(page.at(-1) ?? "")}</NextContinuationToken>` : "";
    outgoing.writeHead(200, XML);
    outgoing.end(
      `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
    );
  };

  /** The bytes of a part that is a range of another object. */
  const copied = async (source: string, range: string | undefined): Promise<Uint8Array> => {
    const [, bucket = "", ...rest] = source.split("/").map(decodeURIComponent);
    const object = await find(bucket, rest.join("/"));
    if (object === undefined) throw new Refusal(404, "NoSuchKey");
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
    if (first === undefined || Number(last) >= object.bytes.byteLength) throw new Refusal(400, "InvalidArgument");
    return object.bytes.slice(Number(first), Number(last) + 1);
  };

  const multipart = async (
    { method, headers }: IncomingMessage,
    outgoing: ServerResponse,
    name: string,
    query: URLSearchParams,
    body: Buffer,
  ): Promise<void> => {
    if (method === "POST" && query.has("uploads")) {
      const id = randomUUID();
      uploads.set(id, { name, parts: new Map() });
      outgoing.writeHead(200, XML);
      outgoing.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
      return;
    }
    const id = query.get("uploadId") ?? "";
    const upload = uploads.get(id);
    if (upload?.name !== name) throw new Refusal(404, "NoSuchUpload");
    if (method === "DELETE") {
      uploads.delete(id);
      outgoing.writeHead(204).end();
    } else if (method === "PUT") {
      const source = headers["x-amz-copy-source"];
      const range = headers["x-amz-copy-source-range"];
      const bytes = source === undefined ? body : await copied(String(source), range as string | undefined);
      const etag = md5(bytes);
      upload.parts.set(Number(query.get("partNumber")), { bytes: Buffer.from(bytes), etag });
      if (source === undefined) outgoing.writeHead(200, { ETag: `"${etag}"` }).end();
      else outgoing.writeHead(200, XML).end(`<CopyPartResult><ETag>&quot;${etag}&quot;</ETag></CopyPartResult>`);
    } else {
      const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>(?:"|&quot;)?([0-9a-f]+)/g)];
      const parts = named.map(([, number, etag]) => {
        const part = upload.parts.get(Number(number));
        if (part === undefined || part.etag !== etag) throw new Refusal(400, "InvalidPart");
        return part;
      });
      if (parts.length === 0 || parts.slice(0, -1).some(({ bytes }) => bytes.byteLength < SMALLEST_PART)) {
        throw new Refusal(400, "EntityTooSmall");
      }
      const whole = Buffer.concat(parts.map(({ bytes }) => bytes));
      keep(name, whole, `${md5(whole)}-${parts.length}`);
      uploads.delete(id);
      outgoing.writeHead(200, XML).end("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>");
    }
  };

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (await options.intercept?.(incoming, outgoing)) return "intercepted";
    const url = new URL(incoming.url ?? "/", "http://s3");
    const [, bucket = "", ...rest] = url.pathname.split("/").map(decodeURIComponent);
    const key = rest.join("/");
    const name = `${bucket}/${key}`;
    const method = incoming.method ?? "";
    judge(incoming, body, bucket);
    if (url.searchParams.has("uploads") || url.searchParams.has("uploadId")) {
      await multipart(incoming, outgoing, name, url.searchParams, body);
    } else if (method === "GET" && key === "") list(outgoing, bucket, url.searchParams);
    else if (method === "GET" || method === "HEAD") await send(incoming, outgoing, bucket, key);
    else if (method === "PUT") {
      const declared = Number(incoming.headers["content-length"] ?? Number.NaN);
      if (Number.isNaN(declared)) throw new Refusal(411, "MissingContentLength");
      if (declared !== body.byteLength) throw new Refusal(400, "IncompleteBody");
      keep(name, body, md5(body));
      outgoing.writeHead(200, { ETag: `"${md5(body)}"` }).end();
    } else if (method === "DELETE") {
      objects.delete(name);
      outgoing.writeHead(204).end();
    } else throw new Refusal(405, "MethodNotAllowed");
    return "ok";
  };

  const server = createServer((incoming, outgoing) => {
    const note = (verdict: string): void =>
      void records.push({
        method: incoming.method ?? "",
        target: incoming.url ?? "",
        headers: incoming.headers,
        verdict,
      });
    answer(incoming, outgoing).then(note, (error: unknown) => {
      const refusal = error instanceof Refusal ? error : new Refusal(500, "InternalError", String(error));
      note(refusal.code);
      if (!outgoing.headersSent) outgoing.writeHead(refusal.status, XML);
      outgoing.end(`<Error><Code>${refusal.code}</Code><Message>${escapeXml(refusal.message)}</Message></Error>`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    account,
    region,
    objects,
    uploads,
    records,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
