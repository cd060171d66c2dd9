import { get, request } from "node:http";
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

/** Asks for an extraction and downloads it. @returns its bytes */
export async function download(server: Pick<TestedServer, "port" | "headers">, body: string): Promise<number> {
  return bytesOf(await post(server, body));
}

async function extract(server: TestedServer, body: string): Promise<Run> {
  const cpu = cpuOf(server.pids);
  const start = performance.now();
  const bytes = await download(server, body);
  return { wall: performance.now() - start, cpu: cpuOf(server.pids) - cpu, bytes };
}

/** The address of the file. */
function post({ port, headers }: Pick<TestedServer, "port" | "headers">, body: string): Promise<string> {
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
function bytesOf(href: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(href, (response) => {
      let bytes = 0;
      response.on("data", (part: Buffer) => {
        bytes += part.length;
      });
      response.on("end", () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${href} answered ${response.statusCode}.`)),
      );
      response.on("error", reject);
    }).on("error", reject);
  });
}
