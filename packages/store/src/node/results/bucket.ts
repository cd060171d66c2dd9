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

/** Takes an object from front to back. */
export interface BucketUpload extends Pick<ResultSink, "write" | "end" | "abort"> {
  /** Takes bytes of another object as the next ones: the bucket copies them, or they are read where it does not. */
  copy(key: string, position: number, length: number): Promise<void>;
}

/** Objects of one bucket of Amazon S3 or a compatible service. Passing faults are tried three times. */
export interface Bucket {
  /** Sends a file as an object, which appears when all of it is there. */
  put(key: string, path: string, type: string): Promise<void>;
  /** Begins an object that is written piece by piece, and appears when it ends. */
  upload(key: string, type: string): Promise<BucketUpload>;
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
/** Least bytes of a part of an upload but the last, as Amazon S3 wants it. */
const LEAST_PART = 5 << 20;
/** Copies that the bucket makes at the same time for one upload. */
const COPIES = 4;
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
  /** Bytes that the bucket copies before it answers. */
  readonly copied?: number;
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

/** Whether a service does not do what it was asked. */
function isRefusal(error: unknown): boolean {
  return error instanceof BucketError && (error.status === 501 || (error.status >= 400 && !isPassing(error)));
}

export function openBucket(settings: BucketSettings): Bucket {
  const { credentials, region, partBytes = PART_BYTES, pieceBytes = PIECE_BYTES, timeoutMs = 20_000 } = settings;

  const attempt = async (
    key: string,
    { method, query, headers, body, copied = 0, accept = [], signal }: Send,
  ): Promise<Response> => {
    const url = s3Url(settings, key, query);
    const unsigned = { ...headers, "x-amz-content-sha256": body?.sha256 ?? EMPTY };
    const signed = await signS3({ method, url, headers: unsigned }, credentials, region);
    // the head of the answer has its time; a body comes as fast as its reader takes it
    const limit = new TimeLimit(timeoutMs + ((body?.bytes ?? 0) + copied) / 500, "no answer in time");
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
    const sendPart = async (send: (query: Record<string, string>) => Promise<string>): Promise<void> => {
      const number = parts.push("");
      const etag = await send({ partNumber: String(number), uploadId });
      parts[number - 1] = `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`;
    };
    return {
      /** Sends the next part. */
      put: (body: Body): Promise<void> =>
        sendPart(async (query) => {
          const response = await send(key, { method: "PUT", query, body });
          await response.body?.cancel();
          return response.headers.get("etag") ?? "";
        }),
      /** Has a range of another object copied as the next part. */
      copy: (from: string, range: FileRange): Promise<void> =>
        sendPart(async (query) => {
          const source = [settings.bucket, ...from.split("/")].map(encodeURIComponent).join("/");
          const headers = {
            "x-amz-copy-source": `/${source}`,
            "x-amz-copy-source-range": `bytes=${range.start}-${range.end}`,
          };
          const copied = range.end - range.start + 1;
          const answer = await (await send(key, { method: "PUT", query, headers, copied })).text();
          const etag = textOf(answer, "ETag");
          // a 200 may still report a fault
          if (etag === undefined) throw new BucketError(`The bucket did not copy: ${textOf(answer, "Code")}.`, 500);
          return etag;
        }),
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

  const get: Bucket["get"] = async (key, { start, end }) => {
    const response = await send(key, { method: "GET", headers: { range: `bytes=${start}-${end}` } });
    const length = Number(response.headers.get("content-length"));
    if (response.body === null || response.status !== 206 || length !== end - start + 1) {
      await response.body?.cancel();
      throw new BucketError("The bucket did not send the requested range.", response.status);
    }
    return response.body;
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
      const copying = new Set<Promise<void>>();
      let copies: boolean | undefined;
      const flush = async (): Promise<void> => {
        await sending;
        isEmpty = false;
        sending = upload.put(bodyOf(piece.subarray(0, filled)));
        sending.catch(() => {}); // thrown by whoever waits for it next
        piece = new Uint8Array(pieceBytes);
        filled = 0;
      };
      const write = async (bytes: Uint8Array): Promise<void> => {
        for (let done = 0; done < bytes.length; ) {
          const part = bytes.subarray(done, done + pieceBytes - filled);
          piece.set(part, filled);
          filled += part.length;
          done += part.length;
          if (filled === pieceBytes) await flush();
        }
      };
      const writeFrom = async (from: string, position: number, length: number): Promise<void> => {
        if (length === 0) return;
        for await (const bytes of await get(from, { start: position, end: position + length - 1 })) await write(bytes);
      };
      const copyPart = async (from: string, range: FileRange): Promise<void> => {
        if (copying.size >= COPIES) await Promise.race(copying);
        const copied = upload.copy(from, range).then(() => void copying.delete(copied));
        copying.add(copied);
        copied.catch(() => {}); // thrown by whoever waits for one, or at the end
      };
      return {
        write,
        async copy(from, position, length) {
          // what waits is sent before, as a part that is large enough
          const lacking = filled === 0 ? 0 : Math.max(0, LEAST_PART - filled);
          if (copies === false || length - lacking < LEAST_PART) return writeFrom(from, position, length);
          await writeFrom(from, position, lacking);
          if (filled > 0) await flush();
          const range = { start: position + lacking, end: position + length - 1 };
          isEmpty = false;
          if (copies === true) return copyPart(from, range);
          // the first tells whether the bucket copies: services that are like Amazon's need not
          copies = await upload.copy(from, range).then(
            () => true,
            (error: unknown) => {
              if (!isRefusal(error)) throw error;
              return false;
            },
          );
          if (!copies) await writeFrom(from, range.start, length - lacking);
        },
        async end() {
          // an upload has one part at least
          if (filled > 0 || isEmpty) await flush();
          await Promise.all([sending, ...copying]);
          await upload.end();
        },
        async abort() {
          await Promise.allSettled([sending, ...copying]);
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
    get,
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
