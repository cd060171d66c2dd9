// npm run bench -- --sections units: searches and images from the cache a second, with units of accounts and without.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { archiveTimes, serviceDirectory } from "./data/archive.ts";
import { cpuOf } from "./http.ts";
import { tileAt } from "./jobs.ts";
import { NODE_FLAGS, summarize } from "./measure.ts";
import { type Bench, spread, table } from "./table.ts";

const SERVER = join(import.meta.dirname, "unit-server.ts");
/** Requests at a time, each of another account: enough to keep the process busy while charges are gathered. */
const CONNECTIONS = 32;
const ACCOUNTS = 400;

interface Round {
  readonly perSecond: number;
  /** Microseconds of CPU per request. */
  readonly cpu: number;
}

interface Target {
  readonly port: number;
  readonly pid: number;
  readonly key: (i: number) => string;
}

function ask(port: number, path: string, key: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, agent, headers: { "X-API-Key": key } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} is answered ${response.statusCode}.`));
      response.resume().once("end", resolve).once("error", reject);
    }).once("error", reject);
  });
}

async function round({ port, pid, key }: Target, path: string, requests: number): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < requests) {
      next += 1;
      await ask(port, path, key(next), agent);
    }
  };
  const cpu = cpuOf([pid]);
  const start = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const wall = performance.now() - start;
  agent.destroy();
  return { perSecond: (requests / wall) * 1000, cpu: ((cpuOf([pid]) - cpu) * 1000) / requests };
}

/** Rounds with units and without take turns, so that both see the same machine. */
export async function unitLoad({ directory, quick, print, progress }: Bench): Promise<void> {
  const [requests, rounds] = quick ? [1000, 4] : [3000, 12];
  const { scenes } = await archiveTimes(directory);
  const { z, x, y } = tileAt(13, 40, 40);
  const paths: Readonly<Record<string, string>> = {
    search: "/v1/search?limit=10",
    "image from the cache": `/v1/tiles/true-color/WebMercatorQuad/${z}/${x}/${y}.jpg?datetime=${encodeURIComponent(scenes[0] ?? "")}`,
  };
  const child = spawn(process.execPath, [...NODE_FLAGS, SERVER, serviceDirectory(directory)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [ports] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const [on = 0, off = 0] = ports.split(" ").map(Number);
    const pid = child.pid ?? 0;
    const targets: Readonly<Record<string, Target>> = {
      "with units": { port: on, pid, key: (i) => `account-${i % ACCOUNTS}` },
      "without units": { port: off, pid, key: () => "owner" },
    };
    const rows: string[][] = [];
    for (const [name, path] of Object.entries(paths)) {
      progress(name);
      const found = new Map<string, Round[]>(Object.keys(targets).map((each) => [each, []]));
      for (let i = -1; i < rounds; i++) {
        const turn = Object.entries(targets);
        for (const [each, target] of i % 2 === 0 ? turn : turn.reverse()) {
          const measured = await round(target, path, requests);
          if (i >= 0) found.get(each)?.push(measured);
        }
      }
      const [withUnits = [], without = []] = [...found.values()];
      const ratios = withUnits.map(({ perSecond }, i) => perSecond / (without[i]?.perSecond ?? Number.NaN));
      const cell = (of: readonly Round[], what: keyof Round): string =>
        spread(summarize(of.map((each) => each[what])), (value) => value.toFixed(0));
      rows.push([
        name,
        cell(withUnits, "perSecond"),
        cell(without, "perSecond"),
        spread(summarize(ratios), (value) => value.toFixed(3)),
        cell(withUnits, "cpu"),
        cell(without, "cpu"),
      ]);
    }
    print(
      table(
        ["", "with units, /s", "without, /s", "ratio of neighbouring rounds", "CPU with, µs", "CPU without, µs"],
        rows,
      ),
    );
  } finally {
    child.kill("SIGKILL");
  }
}
