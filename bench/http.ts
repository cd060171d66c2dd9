import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import type { Kind } from "./jobs.ts";

/** The encoding that a server is asked for: PNG as it does by default, PNG by zlib's level 1, JPEG. */
export type Encoding = "png" | "png-1" | "jpg";

/** A server under test: its own processes and how to ask it for a tile. */
export interface TestedServer {
  readonly name: string;
  /** Path of a map tile. */
  readonly path: (kind: Kind, z: number, x: number, y: number, encoding: Encoding) => string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Process ids whose CPU time counts. */
  readonly pids: readonly number[];
  /** Milliseconds from the launch to the first answer, and of CPU. */
  readonly start: { readonly wall: number; readonly cpu: number };
  close(): void;
}

/** CPU milliseconds that some processes have used so far, their threads included; the kernel counts in 10 ms. */
export function cpuOf(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * 10;
}

/** Processes that a process has started, and those that these have. */
export function childrenOf(pid: number): number[] {
  const own = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  const children = own === "" ? [] : own.split(" ").map(Number);
  return children.flatMap((child) => [child, ...childrenOf(child)]);
}

/** Greatest resident memory of each of some processes, added up, bytes. */
export function peakOf(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of pids) {
    kilobytes += Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  }
  return kilobytes * 1024;
}

export interface Load {
  /** Milliseconds for all of it. */
  readonly wall: number;
  readonly cpu: number;
  readonly latencies: readonly number[];
  readonly bytes: number;
  /** Bytes of the smallest answer. */
  readonly leastBytes: number;
}

/**
 * Asks for paths over `connections` kept-alive connections; every answer must be a 200.
 *
 * @param most milliseconds after which no more are asked for.
 */
export async function load(
  server: Pick<TestedServer, "port" | "headers" | "pids">,
  paths: readonly string[],
  connections: number,
  most = Infinity,
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  let bytes = 0;
  let leastBytes = Infinity;
  let next = 0;
  const cpu = cpuOf(server.pids);
  const begun = performance.now();
  const work = async (): Promise<void> => {
    while (next < paths.length && performance.now() - begun < most) {
      const path = paths[next++]!;
      const start = performance.now();
      const size = await requestImage(server, path, agent);
      latencies.push(performance.now() - start);
      bytes += size;
      leastBytes = Math.min(leastBytes, size);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const wall = performance.now() - begun;
  agent.destroy();
  return { wall, cpu: cpuOf(server.pids) - cpu, latencies, bytes, leastBytes };
}

/** Asks for an image. @returns its bytes */
export function requestImage(
  { port, headers }: Pick<TestedServer, "port" | "headers">,
  path: string,
  agent: Agent,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get({ host: "127.0.0.1", port, path, headers, agent }, (response) => {
      let bytes = 0;
      response.on("data", (part: Buffer) => {
        bytes += part.length;
      });
      response.on("end", () => {
        const type = String(response.headers["content-type"]);
        if (response.statusCode === 200 && type.startsWith("image/")) resolve(bytes);
        else reject(new Error(`${path} answered ${response.statusCode} (${type}).`));
      });
    });
    request.on("error", reject);
  });
}

/** Waits until a path is answered. */
export async function untilReady(server: Pick<TestedServer, "name" | "port" | "headers">, path: string): Promise<void> {
  for (let i = 0; i < 1000; i++) {
    const agent = new Agent();
    const ready = await requestImage(server, path, agent).then(
      () => true,
      () => false,
    );
    agent.destroy();
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${server.name} does not answer ${path}.`);
}

/** The time that 95 of 100 answers of a load kept to, milliseconds. */
export function p95Of({ latencies }: Pick<Load, "latencies">): number {
  const sorted = [...latencies].sort((a, b) => a - b);
  return sorted[Math.floor(0.95 * sorted.length)] ?? Number.NaN;
}
