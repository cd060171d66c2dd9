import { type ReadonlySignal, signal } from "@preact/signals";
import type { Api } from "../api/api.ts";
import { ApiError, type Problem } from "../api/api-error.ts";
import type { Memory } from "../api/person.ts";
import { problemFrom } from "../api/problem-from.ts";
import { memoryOf } from "../api/service-address.ts";
import type { Job } from "../api/types.ts";
import { byteSize } from "../ui/format.ts";

/** The key under which the running job is stored, so that a reload does not lose it. */
const JOB = "swath-job";
const POLL_MS = 2000;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The state of a request for a file. */
export type DeliveryState =
  | { readonly kind: "none" }
  /** `part` is between 0 and 1; absent: not known. */
  | { readonly kind: "progress"; readonly text: string; readonly part?: number | undefined }
  | {
      readonly kind: "file";
      readonly href: string;
      readonly name: string;
      readonly bytes: number | undefined;
      readonly scenes: readonly string[];
      /** Whether the browser saves it without a click. */
      readonly isSaved: boolean;
    }
  | { readonly kind: "problem"; readonly problem: Problem };

/** From a request to a file: one answer, or a background job followed to its end. */
export class Delivery {
  readonly #api: Api;
  readonly #memory: Memory;
  readonly #state = signal<DeliveryState>({ kind: "none" });
  #turn = 0;
  #fileUrl: string | undefined;

  constructor(api: Api) {
    this.#api = api;
    this.#memory = memoryOf(api.base);
  }

  get state(): ReadonlySignal<DeliveryState> {
    return this.#state;
  }

  async order(body: unknown, asJob: boolean): Promise<void> {
    const turn = ++this.#turn;
    try {
      if (asJob) await this.#startJob(body, turn);
      else await this.#fetchNow(body, turn);
    } catch (error) {
      if (turn === this.#turn) this.#state.value = { kind: "problem", problem: problemFrom(error) };
    }
  }

  /** Continues with the job that was running when the page was closed. */
  resume(): void {
    const id = this.#memory.getItem(JOB);
    if (id === null) return;
    const turn = ++this.#turn;
    this.#follow(id, turn, Date.now()).catch((error: unknown) => {
      this.#memory.removeItem(JOB);
      const problem = problemFrom(error);
      if (turn === this.#turn && problem.status !== 404) this.#state.value = { kind: "problem", problem };
    });
  }

  #progress(text: string, part?: number): void {
    this.#state.value = { kind: "progress", text, part };
  }

  async #fetchNow(body: unknown, turn: number): Promise<void> {
    this.#progress("Making the GeoTIFF …");
    const response = await this.#api.post("v1/process", body);
    const bytes = await this.#receive(response, turn);
    if (turn !== this.#turn) return;
    if (this.#fileUrl !== undefined) URL.revokeObjectURL(this.#fileUrl);
    this.#fileUrl = URL.createObjectURL(bytes);
    const name = /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
    this.#state.value = {
      kind: "file",
      href: this.#fileUrl,
      name: name ?? lastPart(response.url),
      bytes: bytes.size,
      scenes: [],
      isSaved: true,
    };
  }

  async #receive(response: Response, turn: number): Promise<Blob> {
    const total = Number(response.headers.get("Content-Length") ?? 0);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let received = 0;
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
      parts.push(part.value);
      received += part.value.byteLength;
      if (turn !== this.#turn) continue;
      const ofAll = total > 0 ? ` of ${byteSize(total)}` : "";
      this.#progress(`Receiving ${byteSize(received)}${ofAll}`, total > 0 ? received / total : undefined);
    }
    return new Blob(parts, { type: "image/tiff" });
  }

  async #startJob(body: unknown, turn: number): Promise<void> {
    this.#progress("Sending the request …");
    const job = (await (await this.#api.post("v1/process/jobs", body)).json()) as Job;
    this.#memory.setItem(JOB, job.id);
    await this.#follow(job.id, turn, Date.now(), job);
  }

  async #follow(id: string, turn: number, started: number, first?: Job): Promise<void> {
    for (let job = first; turn === this.#turn; job = undefined) {
      const now = job ?? (await this.#poll(id));
      if (now?.status === "done") {
        this.#state.value = fileOf(now);
        return;
      }
      if (now?.status === "failed") {
        this.#memory.removeItem(JOB);
        throw new ApiError(now.error ?? { title: "The job failed" });
      }
      if (now !== undefined) this.#progress(progressText(now, started), now.progress);
      await pause(POLL_MS);
    }
  }

  /** The job's state; undefined where it is unknown now but may be known later. */
  async #poll(id: string): Promise<Job | undefined> {
    try {
      return await this.#api.json<Job>(`v1/process/jobs/${encodeURIComponent(id)}`);
    } catch (error) {
      const { status }: Problem = problemFrom(error);
      if (status !== undefined && status < 500 && status !== 429) throw error;
      return undefined;
    }
  }
}

function fileOf({ links, files, items_used }: Job): DeliveryState {
  const link = links.find(({ rel }) => rel === "result");
  const [file] = files ?? [];
  const href = link?.href ?? file?.url;
  if (href === undefined) throw new ApiError({ title: "The job ended without a file" });
  return {
    kind: "file",
    href,
    name: link?.title ?? file?.filename ?? lastPart(href),
    bytes: file?.bytes,
    scenes: items_used ?? [],
    isSaved: false,
  };
}

function progressText({ status, progress, created }: Job, started: number): string {
  const since = created === undefined ? started : Math.min(started, Date.parse(created));
  const text = status === "queued" ? "Waiting in the queue" : "Making the GeoTIFF";
  const part = progress === undefined ? "" : `, ${Math.round(progress * 100)} %`;
  return `${text}${part}, ${Math.round((Date.now() - since) / 1000)} s`;
}

function lastPart(url: string): string {
  const name = new URL(url, location.href).pathname.split("/").at(-1) ?? "";
  return /\.tiff?$/.test(name) ? name : "swath.tif";
}
