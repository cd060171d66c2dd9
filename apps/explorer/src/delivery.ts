import type { Api, Job } from "./api.ts";
import { ApiError, type Problem } from "./api-error.ts";
import { h } from "./dom.ts";
import { byteSize } from "./format.ts";
import { problemCard, problemFrom } from "./problems.ts";

/** The key under which the running job is stored, so that a reload does not lose it. */
const JOB = "swath-job";
const POLL_MS = 2000;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** From a request to a file: one answer, or a background job followed to its end. */
export class Delivery {
  readonly element = h("div", { class: "delivery" });
  readonly #api: Api;
  #turn = 0;
  #fileUrl: string | undefined;

  constructor(api: Api) {
    this.#api = api;
  }

  async order(body: unknown, asJob: boolean): Promise<void> {
    const turn = ++this.#turn;
    try {
      if (asJob) await this.#startJob(body, turn);
      else await this.#fetchNow(body, turn);
    } catch (error) {
      if (turn === this.#turn) this.element.replaceChildren(problemCard(problemFrom(error)));
    }
  }

  /** Continues with the job that was running when the page was closed. */
  resume(): void {
    const id = sessionStorage.getItem(JOB);
    if (id === null) return;
    const turn = ++this.#turn;
    this.#follow(id, turn, Date.now()).catch((error: unknown) => {
      sessionStorage.removeItem(JOB);
      const problem = problemFrom(error);
      if (turn === this.#turn && problem.status !== 404) this.element.replaceChildren(problemCard(problem));
    });
  }

  #progress(text: string, value?: number): void {
    const id = "delivery-progress";
    const known = this.element.querySelector<HTMLProgressElement>("progress");
    const bar = known ?? h("progress", { id, max: 1 });
    if (value === undefined) bar.removeAttribute("value");
    else bar.value = value;
    if (known === null) {
      this.element.replaceChildren(h("label", { for: id, role: "status" }, text), bar);
      this.element.scrollIntoView({ block: "nearest" });
    } else {
      const label = this.element.querySelector("label");
      if (label !== null && label.textContent !== text) label.textContent = text;
    }
  }

  async #fetchNow(body: unknown, turn: number): Promise<void> {
    this.#progress("Making the GeoTIFF …");
    const response = await this.#api.post("v1/process", body);
    const total = Number(response.headers.get("Content-Length") ?? 0);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let received = 0;
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
      parts.push(part.value);
      received += part.value.byteLength;
      if (turn === this.#turn) {
        this.#progress(
          `Receiving ${byteSize(received)}${total > 0 ? ` of ${byteSize(total)}` : ""}`,
          total > 0 ? received / total : undefined,
        );
      }
    }
    if (turn !== this.#turn) return;
    if (this.#fileUrl !== undefined) URL.revokeObjectURL(this.#fileUrl);
    this.#fileUrl = URL.createObjectURL(new Blob(parts, { type: "image/tiff" }));
    const name =
      /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? lastPart(response.url);
    const link = this.#file(this.#fileUrl, name, received);
    link.click();
  }

  async #startJob(body: unknown, turn: number): Promise<void> {
    this.#progress("Sending the request …");
    const job = (await (await this.#api.post("v1/process/jobs", body)).json()) as Job;
    sessionStorage.setItem(JOB, job.id);
    await this.#follow(job.id, turn, Date.now(), job);
  }

  async #follow(id: string, turn: number, started: number, first?: Job): Promise<void> {
    for (let job = first; turn === this.#turn; job = undefined) {
      const now = job ?? (await this.#poll(id));
      if (now === undefined) {
        await pause(POLL_MS);
        continue;
      }
      if (now.status === "done") {
        const link = now.links.find(({ rel }) => rel === "result");
        const [file] = now.files ?? [];
        const href = link?.href ?? file?.url;
        if (href === undefined) throw new ApiError({ title: "The job ended without a file" });
        this.#file(href, link?.title ?? file?.filename ?? lastPart(href), file?.bytes, now.items_used);
        return;
      }
      if (now.status === "failed") {
        sessionStorage.removeItem(JOB);
        throw new ApiError(now.error ?? { title: "The job failed" });
      }
      const seconds = Math.round(
        (Date.now() - (now.created === undefined ? started : Math.min(started, Date.parse(now.created)))) / 1000,
      );
      const text = now.status === "queued" ? "Waiting in the queue" : "Making the GeoTIFF";
      const part = now.progress === undefined ? "" : `, ${Math.round(now.progress * 100)} %`;
      this.#progress(`${text}${part}, ${seconds} s`, now.progress);
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

  #file(href: string, name: string, bytes?: number, scenes?: readonly string[]): HTMLAnchorElement {
    const link = h(
      "a",
      { class: "button primary wide", href, download: name },
      `Save the GeoTIFF${bytes === undefined ? "" : ` (${byteSize(bytes)})`}`,
    );
    this.element.replaceChildren(
      h("p", { role: "status" }, "Ready: ", h("span", { class: "file" }, name)),
      link,
      scenes !== undefined && scenes.length > 0 ? h("p", { class: "quiet" }, `Made of ${scenes.join(", ")}.`) : "",
    );
    this.element.scrollIntoView({ block: "nearest" });
    return link;
  }
}

function lastPart(url: string): string {
  const name = new URL(url, location.href).pathname.split("/").at(-1) ?? "";
  return /\.tiff?$/.test(name) ? name : "swath.tif";
}
