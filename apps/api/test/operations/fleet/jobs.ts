import { createHash } from "node:crypto";
import type { Fleet } from "./fleet.ts";

interface JobDocument {
  readonly id: string;
  readonly status: string;
  readonly files?: readonly { readonly url: string; readonly bytes: number }[];
  readonly error?: unknown;
}

/** A small area of one scene, another for each number. */
export function jobBody(i: number): object {
  const west = 12.8 + (i % 20) * 0.02;
  return {
    input: {
      bounds: { bbox: [west, 45.5, west + 0.05, 45.55] },
      data: [{ type: "sentinel-2-l2a", dataFilter: { ids: ["S2B_T33TUL_20240704T100211_L2A"] } }],
    },
    bands: ["red", "nir"],
    output: { width: 200 + (i % 7) * 30, height: 250 },
  };
}

/** An area of Landsat. */
export function landsatBody(): object {
  return {
    input: {
      bounds: { bbox: [13.2, 45.7, 13.3, 45.8] },
      data: [
        {
          type: "landsat-ot-l2",
          dataFilter: { timeRange: { from: "2024-01-01T00:00:00Z", to: "2024-12-31T00:00:00Z" } },
        },
      ],
    },
    bands: ["red", "nir08"],
    output: { width: 300, height: 300 },
  };
}

/** Submits a job until it is accepted; returns the number of refusals for a full queue. */
export async function submit(
  fleet: Fleet,
  secret: string,
  i: number,
  body: object = jobBody(i),
): Promise<{ id?: string; status: number; text: string }> {
  const response = await fleet.ask("/v1/process/jobs", {
    method: "POST",
    headers: { "X-API-Key": secret, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const { status } = response;
  return status === 202 ? { id: (JSON.parse(text) as JobDocument).id, status, text } : { status, text };
}

/** Waits until a job has ended. */
export async function ended(fleet: Fleet, secret: string, id: string, deadline: number): Promise<JobDocument> {
  for (;;) {
    const response = await fleet.ask(`/v1/process/jobs/${id}`, { headers: { "X-API-Key": secret } });
    const document = (await response.json()) as JobDocument;
    if (response.ok && (document.status === "done" || document.status === "failed")) return document;
    if (performance.now() > deadline) throw new Error(`Job ${id} has not ended: ${JSON.stringify(document)}`);
    await new Promise((resolve) => setTimeout(resolve, response.ok ? 500 : 1200));
  }
}

/** Fetches a job's file by its link; its length is as promised and it is a TIFF. */
export async function fetchFile(fleet: Fleet, job: JobDocument): Promise<string> {
  const [file] = job.files ?? [];
  if (file === undefined) throw new Error(`Job ${job.id} has no file: ${JSON.stringify(job)}`);
  const { pathname, search } = new URL(file.url);
  const response = await fleet.ask(`${pathname}${search}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isTiff = bytes[0] === 0x49 && bytes[1] === 0x49 && (bytes[2] === 42 || bytes[2] === 43);
  if (response.status !== 200 || bytes.byteLength !== file.bytes || !isTiff) {
    throw new Error(
      `The file of job ${job.id} is not whole: ${response.status}, ${bytes.byteLength} of ${file.bytes}.`,
    );
  }
  return createHash("sha256").update(bytes).digest("hex");
}
