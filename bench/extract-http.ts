import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { get, type IncomingMessage, request } from "node:http";
import { pipeline } from "node:stream/promises";
import { archiveTimes } from "./data/archive.ts";
import { cpuOf, peakOf, type TestedServer } from "./http.ts";
import { areaGrid, COMMON_NAMES, type SampleType } from "./jobs.ts";
import type { Run } from "./measure.ts";
import { startSwath } from "./servers.ts";

/** Costs of extractions over HTTP, from the request to the last byte of the download. */
export interface HttpExtractions {
  /** The first extraction of a server that has just started. */
  readonly cold: readonly Run[];
  /** Files that were not read before, after other extractions. */
  readonly codeWarm: readonly Run[];
  /** The same extraction again. */
  readonly allWarm: readonly Run[];
  readonly coldPeak: number;
  readonly peak: number;
}

/** Extractions that only warm up, before the second and the third state. */
const WARM_UP = 3;

/** Measures the three states; the clock and the CPU of a cold one count from the request. */
export async function httpExtractions(
  directory: string,
  side: number,
  type: SampleType,
  rounds: number,
): Promise<HttpExtractions> {
  const { scenes } = await archiveTimes(directory);
  if (WARM_UP + rounds >= scenes.length) throw new RangeError(`Expected fewer than ${scenes.length - WARM_UP} rounds.`);
  const cold: Run[] = [];
  let coldPeak = 0;
  const [codeWarm, allWarm]: [Run[], Run[]] = [[], []];
  let peak = 0;
  for (let round = 0; round < rounds; round++) {
    const server = await startSwath(directory, { env: { SWATH_WARM_UP: "off" } });
    try {
      const ask = (scene: number): Promise<Run> => extract(server, extractionBody(scenes[scene]!, side, type));
      cold.push(await ask(0));
      coldPeak = Math.max(coldPeak, peakOf(server.pids));
      if (round < rounds - 1) continue;
      for (let i = 0; i < WARM_UP; i++) await ask(1 + i);
      for (let i = 0; i < rounds; i++) codeWarm.push(await ask(1 + WARM_UP + i));
      for (let i = 0; i < WARM_UP; i++) await ask(0);
      for (let i = 0; i < rounds; i++) allWarm.push(await ask(0));
      peak = peakOf(server.pids);
    } finally {
      server.close();
    }
  }
  return { cold, codeWarm, allWarm, coldPeak, peak };
}

/**
 * Extractions as background jobs of servers that have just started: submitted, asked for until their file is there, and downloaded to disk.
 *
 * @param out path of the file.
 */
export async function jobExtractions(
  directory: string,
  { side, type, out, rounds }: { side: number; type: SampleType; out: string; rounds: number },
): Promise<{ readonly runs: readonly Run[]; readonly peak: number }> {
  const { scenes } = await archiveTimes(directory);
  const body = extractionBody(scenes[0]!, side, type);
  const runs: Run[] = [];
  let peak = 0;
  for (let round = 0; round < rounds; round++) {
    const server = await startSwath(directory, { env: { SWATH_WARM_UP: "off" } });
    try {
      const cpu = cpuOf(server.pids);
      const start = performance.now();
      await pipeline(await openFile(await fileOfJob(server, body)), createWriteStream(out));
      runs.push({
        wall: performance.now() - start,
        cpu: cpuOf(server.pids) - cpu,
        bytes: (await stat(out)).size,
      });
      peak = Math.max(peak, peakOf(server.pids));
    } finally {
      server.close();
    }
  }
  return { runs, peak };
}

/** Submits a job and waits for it. @returns the address of its file */
export async function fileOfJob(
  { port, headers }: Pick<TestedServer, "port" | "headers">,
  body: string,
): Promise<string> {
  const address = `http://127.0.0.1:${port}/v1/process/jobs`;
  const asked = { headers: { ...headers, "Content-Type": "application/json" } };
  const submitted = await fetch(address, { ...asked, method: "POST", body });
  const { id } = (await submitted.json()) as { readonly id: string };
  for (;;) {
    const job = (await (await fetch(`${address}/${id}`, asked)).json()) as JobDocument;
    if (job.status === "done") return job.files?.[0]?.url ?? "";
    if (job.status === "failed") throw new Error(`The job failed: ${JSON.stringify(job)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

interface JobDocument {
  readonly status: string;
  readonly files?: readonly { readonly url: string }[];
}

/** Milliseconds between two questions for a job. */
const POLL_MS = 50;

function openFile(href: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(href, (response) =>
      response.statusCode === 200 ? resolve(response) : reject(new Error(`${href} answered ${response.statusCode}.`)),
    ).on("error", reject);
  });
}

/** The body of a request for an area of a side of one scene. */
export function extractionBody(datetime: string, side: number, type: SampleType): string {
  const { crs, transform, width, height } = areaGrid(side);
  const [pixel, , west, , , north] = transform;
  const isFloat = type === "float32";
  return JSON.stringify({
    input: {
      bounds: { bbox: [west, north - pixel * height, west + pixel * width, north], properties: { crs } },
      data: [
        {
          type: "sentinel-2-l2a",
          dataFilter: { timeRange: { from: datetime, to: datetime } },
          processing: isFloat ? { units: "REFLECTANCE" } : { units: "DN", harmonize: "none" },
        },
      ],
    },
    bands: COMMON_NAMES,
    output: { width, height, crs, sampleType: isFloat ? "FLOAT32" : "UINT16" },
  });
}

/** Asks for an extraction and downloads it. */
async function extract(server: TestedServer, body: string): Promise<Run> {
  const cpu = cpuOf(server.pids);
  const start = performance.now();
  const href = await post(server, body);
  const bytes = await download(href);
  return { wall: performance.now() - start, cpu: cpuOf(server.pids) - cpu, bytes };
}

/** The address of the file. */
function post({ port, headers }: TestedServer, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port,
        path: "/v1/process",
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => {
          if (response.statusCode === 303) resolve(String(response.headers.location));
          else reject(new Error(`POST /v1/process answered ${response.statusCode}: ${text.slice(0, 500)}`));
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Bytes of a file, which are thrown away as they come. */
export async function download(href: string): Promise<number> {
  let bytes = 0;
  for await (const part of await openFile(href)) bytes += (part as Buffer).length;
  return bytes;
}
