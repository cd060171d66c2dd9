import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openStore } from "../src/state/open-store.ts";
import type { Store } from "../src/state/store.ts";
import { describeEngines } from "./engines.ts";
import type { UnitServerSettings } from "./unit-server.ts";

const SERVER = fileURLToPath(new URL("./unit-server.ts", import.meta.url));
const COSTS = [0, 0.01, 0.1667, 0.25, 1, 2.5];

/** A process that can be killed and started again. */
class Node {
  url: string | undefined;
  #child: ChildProcess | undefined;
  readonly #settings: UnitServerSettings;

  constructor(settings: UnitServerSettings) {
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const { PATH = "", HOME = "" } = process.env;
    const child = spawn(process.execPath, ["--conditions=@swath/source", SERVER], {
      env: { PATH, HOME, UNIT_SERVER: JSON.stringify(this.#settings) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), "line")) as [string];
    this.url = `http://127.0.0.1:${line.split(" ").at(-1)}`;
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child;
    this.url = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
}

interface Sent {
  readonly account: string;
  readonly cost: number;
  /** Status and `X-Units-Spent` of the answer; absent: there was none. */
  status?: number;
  spent?: number;
}

/** A generator of numbers from 0 to 1, the same each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Load {
  readonly requests: number;
  readonly accounts: number;
  readonly kills: number;
  readonly clients: number;
}

/** Sends requests from many clients, some of whom do not wait for their answer, while nodes are killed. */
async function drive(nodes: readonly Node[], { requests, accounts, kills, clients }: Load): Promise<Map<string, Sent>> {
  const random = seeded(20);
  const sent = new Map<string, Sent>();
  const one = async (i: number): Promise<void> => {
    const account = `a${Math.floor(random() * accounts)}`;
    const cost = COSTS[Math.floor(random() * COSTS.length)] ?? 0;
    const chance = random();
    const end = chance < 0.06 ? "problem" : chance < 0.1 ? "broken" : chance < 0.3 ? "stream" : "known";
    const ms = Math.floor(random() * 12);
    const leaves = random() < 0.1 ? Math.floor(random() * 18) : undefined;
    const up = nodes.flatMap(({ url }) => url ?? []);
    const url = up[Math.floor(random() * up.length)];
    if (url === undefined) {
      await pause(20);
      return one(i);
    }
    const request: Sent = { account, cost };
    sent.set(`r${i}`, request);
    const client = new AbortController();
    const timer = leaves === undefined ? undefined : setTimeout(() => client.abort(), leaves);
    try {
      const response = await fetch(`${url}/v1/work?units=${cost}&ms=${ms}&end=${end}`, {
        headers: { "X-API-Key": `${account}.r${i}` },
        signal: client.signal,
      });
      request.status = response.status;
      request.spent = Number(response.headers.get("X-Units-Spent") ?? 0);
      await response.text();
    } catch {
      // the client did not wait, or the node was killed
    } finally {
      clearTimeout(timer);
    }
  };
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < requests) {
      next += 1;
      await one(next);
    }
  };
  const driving = Promise.all(Array.from({ length: clients }, client));
  for (let done = 0; done < kills; done++) {
    const node = nodes[done % nodes.length] as Node;
    while (next < (requests * (done + 1)) / (kills + 1)) await pause(5);
    await node.end("SIGKILL");
    await node.start();
  }
  await driving;
  return sent;
}

const steps = (units: number): number => Math.round(units * 10_000);

/** What the store says was charged, in steps of 1/10,000 unit: by request, and by account in its counts and in its row. */
async function charged(store: Store) {
  const of = async (text: string): Promise<Map<string, number>> =>
    new Map((await store.query(text)).map((row) => [String(row.name), Number(row.units)]));
  return {
    byRequest: await of("select key_id as name, sum(units) as units from unit_count group by key_id"),
    byAccount: await of("select payer as name, sum(units) as units from unit_count group by payer"),
  };
}

interface Run extends Load {
  readonly nodes: number;
  readonly shared: boolean;
}

async function run(settings: Pick<UnitServerSettings, "dataDir" | "databaseUrl">, load: Run): Promise<void> {
  const store = await openStore(settings);
  // a minute of the service is a second of the test, and a month ends on the way
  const clock = { started: Date.now(), time: Date.parse("2026-06-30T23:50:00Z"), speed: 60 };
  const nodes = Array.from({ length: load.nodes }, () => new Node({ ...settings, shared: load.shared, clock }));
  try {
    await Promise.all(nodes.map((node) => node.start()));
    const sent = await drive(nodes, load);
    // settles what clients did not wait for
    await Promise.all(nodes.map((node) => node.end("SIGTERM")));
    const { byRequest, byAccount } = await charged(store);
    const sums = { answered: 0, told: 0, cutOff: 0, chargedCutOff: 0, refused: 0, spent: 0 };
    const expected = new Map<string, number>();
    for (const [id, { account, cost, status, spent }] of sent) {
      const units = byRequest.get(id) ?? 0;
      expected.set(`account:${account}`, (expected.get(`account:${account}`) ?? 0) + units);
      if (status === undefined) {
        // charged once or not at all
        expect([0, steps(cost)], `request ${id}`).toContain(units);
        sums.cutOff += 1;
        sums.chargedCutOff += units;
      } else {
        expect(units, `request ${id}, answered ${status}`).toBe(steps(spent ?? 0));
        if (status === 200) expect(units).toBe(steps(cost));
        else expect(units).toBe(0);
        sums.answered += 1;
        sums.told += units;
        if (status === 429) sums.refused += 1;
      }
    }
    for (const units of byAccount.values()) sums.spent += units;
    const difference = sums.spent - sums.told - sums.chargedCutOff;
    console.log(JSON.stringify({ ...load, ...sums, difference }));
    expect(difference).toBe(0);
    for (const [account, units] of byAccount) expect(expected.get(account), account).toBe(units);
    // enough of everything was seen
    expect(sums.answered).toBeGreaterThan(load.requests * 0.8);
    expect(sums.cutOff).toBeGreaterThan(load.requests * 0.02);
    expect(sums.refused).toBeLessThan(load.requests * 0.5);
  } finally {
    await Promise.all(nodes.map((node) => node.end("SIGKILL")));
    await store.close();
  }
}

describeEngines("units under kills", (host) => {
  test("every answer that arrives was charged what it says, and nothing else was charged", async () => {
    const { engine } = host();
    await run(
      await host().fresh(),
      engine === "postgres"
        ? { requests: 20_000, accounts: 50, kills: 20, clients: 40, nodes: 2, shared: true }
        : { requests: 3000, accounts: 20, kills: 6, clients: 20, nodes: 1, shared: false },
    );
  }, 600_000);
});
