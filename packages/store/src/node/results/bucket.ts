import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { readText, send as sendRequest, TimeLimit, unlessAborted, withRetries } from "@swath/http";
import { presignS3, type S3Bucket, type S3Credentials, s3Url, signS3 } from "@swath/http/s3";
import type { FileRange, ResultSink } from "../../results.ts";

export interface BucketSettings extends S3Bucket {
  readonly credentials: S3Credentials;
  /** Bytes of one part of a larger upload of a file; Amazon S3 wants 5 MiB at least. Default 64 MiB. */
  readonly partBytes?: number;
  /** The same of an object that is written piece by piece; two of them are held in memory. Default 16 MiB. */
  readonly pieceBytes?: number;
  /** Longest wait for the head of an answer, milliseconds. Default 20000. */
  readonly timeoutMs?: number;
}

export interface ObjectFacts {
  readonly size: number;
  readonly modified: Date;
  readonly etag: string;
}

/** An object as a listing names it. */
export interface ListedObject {
  readonly key: string;
  /** Epoch milliseconds. */
  readonly modified: number;
  /** Bytes. */
  readonly size: number;
}

/** A fault of the bucket: it did not answer, or refused. */
export class BucketError extends Error {
  override readonly name = "BucketError";
  /** 0 where no answer came. */
  readonly status: number;
  constructor(message: string, status: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** Objects of one bucket of Amazon S3 or a compatible service. Passing faults are tried three times. */
export interface Bucket {
  /** Sends a file as an object, which appears when all of it is there. */
  put(key: string, path: string, type: string): Promise<void>;
  /** Begins an object that is written piece by piece, and appears when it ends. */
  upload(key: string, type: string): Promise<ResultSink>;
  head(key: string): Promise<ObjectFacts | undefined>;
  /** The bytes of a range, as they come. */
  get(key: string, range: FileRange): Promise<ReadableStream<Uint8Array>>;
  /** Sends bytes as an object, once: a fault is not tried again. */
  write(key: string, bytes: Uint8Array<ArrayBuffer>, type: string): Promise<void>;
  /**
   * The bytes of a small object, asked for once; undefined where there is none.
   *
   * @throws {BucketError} for an object of more than `maxBytes`, or one that breaks off; the reason of the signal.
   */
  read(
    key: string,
    options: { readonly signal: AbortSignal; readonly maxBytes: number },
  ): Promise<Uint8Array | undefined>;
  remove(key: string): Promise<void>;
  /** Objects whose keys begin with `prefix`, in the order of their keys; pages are asked for as they are read. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** Returns an address that reads the object without keys, for `seconds`. */
  presign(key: string, seconds: number, headers: Readonly<Record<string, string>>): Promise<string>;
}

const PART_BYTES = 64 << 20;
const PIECE_BYTES = 16 << 20;
const RETRIES = 2;
const BACKOFF_MS = 400;
const MAX_ERROR_BODY = 2000;
const EMPTY = createHash("sha256").update("").digest("hex");

interface Body {
  readonly sha256: string;
  readonly bytes: number;
  /** Called again for each attempt. */
  open(): ReadableStream | Uint8Array<ArrayBuffer>;
}

interface Send {
  readonly method: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
  /** Statuses, besides 2xx, that are an answer. */
  readonly accept?: readonly number[];
  /** Whoever waits for the answer may leave. */
  readonly signal?: AbortSignal;
}

const unescapeXml = (text: string): string =>
  text.replace(
    /&(lt|gt|quot|apos|amp);/g,
    (_, name: string) => ({ lt: "<", gt: ">", quot: '"', apos: "'" })[name] ?? "&",
  );

function textOf(xml: string, tag: string): string | undefined {
  const match = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml);
  return match?.[1] === undefined ? undefined : unescapeXml(match[1]);
}

/** SHA-256 of a range of a file, read as a stream. */
async function hashOf(path: string, range: FileRange): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, range)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

const bodyOf = (bytes: Uint8Array<ArrayBuffer>): Body => ({
  sha256: createHash("sha256").update(bytes).digest("hex"),
  bytes: bytes.byteLength,
  open: () => bytes,
});

/** A range of a file; undefined: the file is empty. */
async function bodyOfFile(path: string, range: FileRange | undefined): Promise<Body> {
  if (range === undefined) return bodyOf(new Uint8Array());
  const open = (): ReadableStream => Readable.toWeb(createReadStream(path, range)) as ReadableStream;
  return { sha256: await hashOf(path, range), bytes: range.end - range.start + 1, open };
}

/** Faults that another attempt may get past. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof BucketError)) return false;
  return error.status === 0 || error.status === 429 || error.status >= 500;
}

export function openBucket(settings: BucketSettings): Bucket {
  const { credentials, region, partBytes = PART_BYTES, pieceBytes = PIECE_BYTES, timeoutMs = 20_000 } = settings;

  const attempt = async (
    key: string,
    { method, query, headers, body, accept = [], signal }: Send,
  ): Promise<Response> => {
    const url = s3Url(settings, key, query);
    const unsigned = { ...headers, "x-amz-content-sha256": body?.sha256 ?? EMPTY };
    const signed = await signS3({ method, url, headers: unsigned }, credentials, region);
    // the head of the answer has its time; a body comes as fast as its reader takes it
    const limit = new TimeLimit(body === undefined ? timeoutMs : timeoutMs + body.bytes / 500, "no answer in time");
    try {
      const response = await sendRequest(
        {
          url,
          method,
          headers: body === undefined ? signed : { ...signed, "content-length": String(body.bytes) },
          body: body?.open(),
        },
        { signal: signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]), maxRedirects: 0 },
      );
      if (response.ok || accept.includes(response.status)) return response;
      const code = textOf(await readText(response, MAX_ERROR_BODY, limit.signal), "Code") ?? "";
      throw new BucketError(`The bucket answered ${response.status} ${code} to ${method}.`, response.status);
    } catch (error) {
      if (error instanceof BucketError) throw error;
      throw new BucketError(`The bucket does not answer ${method}.`, 0, { cause: error });
    } finally {
      limit.end();
    }
  };

  const send = (key: string, what: Send): Promise<Response> =>
    withRetries(() => attempt(key, what), isPassing, { retries: RETRIES, backoffMs: BACKOFF_MS });

  const beginUpload = async (key: string, type: string) => {
    const begun = await send(key, { method: "POST", query: { uploads: "" }, headers: { "content-type": type } });
    const uploadId = textOf(await begun.text(), "UploadId");
    if (uploadId === undefined) throw new BucketError("The bucket gave no upload id.", begun.status);
    const parts: string[] = [];
    return {
      /** Sends the next part. One at a time. */
      async put(body: Body): Promise<void> {
        const number = parts.length + 1;
        const response = await send(key, { method: "PUT", query: { partNumber: String(number), uploadId }, body });
        await response.body?.cancel();
        const etag = response.headers.get("etag") ?? "";
        parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`);
      },
      async end(): Promise<void> {
        const list = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
        const ended = await send(key, { method: "POST", query: { uploadId }, body: bodyOf(new Uint8Array(list)) });
        // a 200 may still report a fault
        const answer = await ended.text();
        if (answer.includes("<Error>")) throw new BucketError(`The upload failed: ${textOf(answer, "Code")}.`, 500);
      },
      async abort(): Promise<void> {
        await send(key, { method: "DELETE", query: { uploadId }, accept: [404] }).catch(() => {});
      },
    };
  };

  const putInParts = async (key: string, path: string, size: number, type: string): Promise<void> => {
    const upload = await beginUpload(key, type);
    try {
      for (let start = 0; start < size; start += partBytes) {
        await upload.put(await bodyOfFile(path, { start, end: Math.min(start + partBytes, size) - 1 }));
      }
      await upload.end();
    } catch (error) {
      await upload.abort();
      throw error;
    }
  };

  return {
    async put(key, path, type) {
      const { size } = await stat(path);
      if (size > partBytes) return putInParts(key, path, size, type);
      const range = size === 0 ? undefined : { start: 0, end: size - 1 };
      const body = await bodyOfFile(path, range);
      const response = await send(key, { method: "PUT", headers: { "content-type": type }, body });
      await response.body?.cancel();
    },
    async upload(key, type) {
      const upload = await beginUpload(key, type);
      let piece = new Uint8Array(pieceBytes);
      let filled = 0;
      let isEmpty = true;
      // one piece is sent while the next is filled
      let sending: Promise<void> = Promise.resolve();
      const flush = async (): Promise<void> => {
        await sending;
        isEmpty = false;
        sending = upload.put(bodyOf(piece.subarray(0, filled)));
        sending.catch(() => {}); // thrown by whoever waits for it next
        piece = new Uint8Array(pieceBytes);
        filled = 0;
      };
      return {
        async write(bytes) {
          for (let done = 0; done < bytes.length; ) {
            const part = bytes.subarray(done, done + pieceBytes - filled);
            piece.set(part, filled);
            filled += part.length;
            done += part.length;
            if (filled === pieceBytes) await flush();
          }
        },
        async end() {
          // an upload has one part at least
          if (filled > 0 || isEmpty) await flush();
          await sending;
          await upload.end();
        },
        async abort() {
          await sending.catch(() => {});
          await upload.abort();
        },
      };
    },
    async head(key) {
      const { status, headers } = await send(key, { method: "HEAD", accept: [404] });
      if (status === 404) return undefined;
      return {
        size: Number(headers.get("content-length")),
        modified: new Date(headers.get("last-modified") ?? 0),
        etag: headers.get("etag") ?? "",
      };
    },
    async get(key, { start, end }) {
      const response = await send(key, { method: "GET", headers: { range: `bytes=${start}-${end}` } });
      const length = Number(response.headers.get("content-length"));
      if (response.body === null || response.status !== 206 || length !== end - start + 1) {
        await response.body?.cancel();
        throw new BucketError("The bucket did not send the requested range.", response.status);
      }
      return response.body;
    },
    async write(key, bytes, type) {
      const response = await attempt(key, { method: "PUT", headers: { "content-type": type }, body: bodyOf(bytes) });
      await response.body?.cancel();
    },
    async read(key, { signal, maxBytes }) {
      const response = await attempt(key, { method: "GET", accept: [404], signal });
      if (response.status === 404) {
        await response.body?.cancel();
        return undefined;
      }
      const length = Number(response.headers.get("content-length") ?? Number.NaN);
      if (!(length <= maxBytes)) {
        await response.body?.cancel();
        throw new BucketError(`The object has ${length} bytes, more than ${maxBytes}.`, response.status);
      }
      const bytes = new Uint8Array(await unlessAborted(response.arrayBuffer(), signal));
      if (bytes.byteLength !== length) throw new BucketError("The object broke off.", response.status);
      return bytes;
    },
    async remove(key) {
      await send(key, { method: "DELETE", accept: [404] });
    },
    async *list(prefix) {
      let token: string | undefined;
      do {
        const query = { "list-type": "2", prefix, ...(token === undefined ? {} : { "continuation-token": token }) };
        const xml = await (await send("", { method: "GET", query })).text();
        for (const [, contents = ""] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const key = textOf(contents, "Key");
          if (key === undefined) continue;
          const modified = Date.parse(textOf(contents, "LastModified") ?? "");
          yield { key, modified, size: Number(textOf(contents, "Size") ?? 0) };
        }
        token = textOf(xml, "NextContinuationToken");
      } while (token !== undefined);
    },
    async presign(key, seconds, headers) {
      const overrides = Object.fromEntries(Object.entries(headers).map(([name, value]) => [`response-${name}`, value]));
      const url = s3Url(settings, key, { ...overrides, "X-Amz-Expires": String(seconds) });
      return presignS3(url, credentials, region);
    },
  };
}
