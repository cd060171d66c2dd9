import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Store } from "@swath/store";
import { expect, test } from "vitest";
import { childEnvironment } from "../../../../test/tools/child-environment.ts";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { searches } from "../../../../test/tools/searches.ts";
import { openStore } from "../../src/open/open-store.ts";
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
    const child = spawn(process.execPath, ["--conditions=@swath/source", SERVER], {
      env: { ...childEnvironment(), UNIT_SERVER: JSON.stringify(this.#settings) },
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
  /** The image that was asked for; absent: another answer. */
  readonly image: string | undefined;
  /** Whether it was asked for by a token of a map of the account. */
  readonly isOfMap: boolean;
  /** The node that was asked, in this life of it. */
  readonly url: string;
  /** Status and `X-Units-Spent` of the answer; absent: there was none. */
  status?: number;
  spent?: number;
  /** Status of the answer to the same request without a key. */
  unpaid?: number;
  /** Whether the answer never came, though its node was there: `fetch` gives up after five minutes. */
  isHanging?: boolean;
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

interface DriveOptions {
  readonly requests: number;
  readonly accounts: number;
  readonly kills: number;
  readonly clients: number;
}

/** Makes a request, and the time that its client waits. */
function nextRequest(random: () => number, i: number, accounts: number) {
  const chance = random();
  const isImage = random() < 0.7;
  const end = chance < 0.06 ? "problem" : chance < 0.1 ? "broken" : chance < 0.3 && !isImage ? "stream" : "known";
  // two of three images are asked for by several clients, at the same time or later
  const image = isImage ? `i${random() < 0.33 ? i : `-${i >> 2}`}` : undefined;
  const seed = Number(image?.replace(/\D/g, "") ?? i);
  return {
    account: `a${Math.floor(random() * accounts)}`,
    // the same for all who ask for an image
    cost: COSTS[(isImage ? seed : Math.floor(random() * 1000)) % COSTS.length] ?? 0,
    ms: isImage ? seed % 12 : Math.floor(random() * 12),
    end: isImage && seed % 4 !== 0 ? "known" : end,
    image,
    isOfMap: isImage && i % 3 === 0,
    /** As a part of the time that an answer takes at the moment, up to a little more than all of it. */
    leavesAfter: random() < 0.5 ? random() * 1.2 : undefined,
  };
}

/**
 * Sends requests from many clients while nodes are killed. Half of the clients leave at any moment, and ask again without
 * a key at once.
 */
async function drive(
  nodes: readonly Node[],
  { requests, accounts, kills, clients }: DriveOptions,
): Promise<Map<string, Sent>> {
  const random = seeded(20);
  const sent = new Map<string, Sent>();
  /** Milliseconds that an answer takes: the mean of the last ones. */
  let usual = 20;
  const one = async (i: number): Promise<void> => {
    const { account, cost, ms, end, image, isOfMap, leavesAfter } = nextRequest(random, i, accounts);
    const up = nodes.flatMap(({ url }) => url ?? []);
    const url = up[Math.floor(random() * up.length)];
    if (url === undefined) {
      await pause(20);
      return one(i);
    }
    const request: Sent = { account, cost, image, isOfMap, url };
    sent.set(`r${i}`, request);
    const client = new AbortController();
    const timer = leavesAfter === undefined ? undefined : setTimeout(() => client.abort(), leavesAfter * usual);
    const path = image === undefined ? "work?" : `image?image=${image}&`;
    const address = `${url}/v1/${path}units=${cost}&ms=${ms}&end=${end}`;
    const started = performance.now();
    try {
      const response = await fetch(address, {
        headers: { "X-API-Key": `${account}.r${i}${isOfMap ? ".map" : ""}` },
        signal: client.signal,
      });
      request.status = response.status;
      request.spent = Number(response.headers.get("X-Units-Spent") ?? 0);
      await response.text();
      usual += (performance.now() - started - usual) / 20;
    } catch (error) {
      // the client did not wait, or the node was killed
      const { cause } = error as { readonly cause?: { readonly code?: string } };
      request.isHanging = cause?.code?.startsWith("UND_ERR_") === true && cause.code.endsWith("_TIMEOUT");
    } finally {
      clearTimeout(timer);
    }
    if (image === undefined || leavesAfter === undefined) return;
    request.unpaid = await fetch(address).then(
      ({ status }) => status,
      () => 0,
    );
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

/** Images that somebody got from a node at which no charge of them stands; those without a scene cost nothing. */
function freeImages(sent: ReadonlyMap<string, Sent>, byRequest: ReadonlyMap<string, number>): readonly string[] {
  const paid = new Set<string>();
  for (const [id, { image, url }] of sent) if ((byRequest.get(id) ?? 0) > 0) paid.add(`${image} ${url}`);
  return [...sent.values()].flatMap(({ image, url, cost, status, spent, unpaid }) => {
    const wasGiven = unpaid === 200 || (status === 200 && spent === 0);
    return image !== undefined && cost > 0 && wasGiven && !paid.has(`${image} ${url}`) ? [`${image} ${url}`] : [];
  });
}

const steps = (units: number): number => Math.round(units * 10_000);

/** Reads the charges from the store, in steps of 1/10,000 unit: by request, and by account in its counts and in its row. */
async function charged(store: Store) {
  const of = async (text: string): Promise<Map<string, number>> =>
    new Map((await store.query(text)).map((row) => [String(row.name), Number(row.units)]));
  return {
    byRequest: await of("select key_id as name, sum(units) as units from unit_count group by key_id"),
    byAccount: await of("select payer as name, sum(units) as units from unit_count group by payer"),
  };
}

interface Run extends DriveOptions {
  readonly nodes: number;
}

async function run(settings: Pick<UnitServerSettings, "dataDir" | "databaseUrl">, load: Run): Promise<void> {
  const store = await openStore(settings);
  // a minute of the service is a second of the test, and a month ends on the way
  const clock = { started: Date.now(), time: Date.parse("2026-06-30T23:50:00Z"), speed: 60 };
  const nodes = Array.from({ length: load.nodes }, () => new Node({ ...settings, clock }));
  try {
    await Promise.all(nodes.map((node) => node.start()));
    const sent = await drive(nodes, load);
    // settles what clients did not wait for
    await Promise.all(nodes.map((node) => node.end("SIGTERM")));
    const { byRequest, byAccount } = await charged(store);
    const sums = { answered: 0, told: 0, cutOff: 0, chargedCutOff: 0, refused: 0, spent: 0, ofMaps: 0, foundUnpaid: 0 };
    const expected = new Map<string, number>();
    for (const [id, { account, cost, status, spent, image, isOfMap, unpaid }] of sent) {
      if (unpaid === 200) sums.foundUnpaid += 1;
      const units = byRequest.get(id) ?? 0;
      expected.set(`account:${account}`, (expected.get(`account:${account}`) ?? 0) + units);
      if (isOfMap) sums.ofMaps += units;
      if (status === undefined) {
        // charged once or not at all
        expect([0, steps(cost)], `request ${id}`).toContain(units);
        sums.cutOff += 1;
        sums.chargedCutOff += units;
      } else {
        // answers to tokens of maps, which anybody may read, do not say what they cost
        if (!isOfMap) expect(units, `request ${id}, answered ${status}`).toBe(steps(spent ?? 0));
        // an image that another has paid for costs nothing
        if (status === 200) expect(image === undefined ? [steps(cost)] : [0, steps(cost)]).toContain(units);
        else expect(units).toBe(0);
        sums.answered += 1;
        sums.told += units;
        if (status === 429) sums.refused += 1;
      }
    }
    for (const units of byAccount.values()) sums.spent += units;
    const difference = sums.spent - sums.told - sums.chargedCutOff;
    const free = freeImages(sent, byRequest);
    console.log(JSON.stringify({ ...load, ...sums, difference, freeImages: free.length }));
    expect([...sent.values()].filter(({ isHanging }) => isHanging === true)).toEqual([]);
    expect(difference).toBe(0);
    expect(free).toEqual([]);
    for (const [account, units] of byAccount) expect(expected.get(account), account).toBe(units);
    expect(sums.ofMaps).toBeGreaterThan(0.1 * sums.spent);
    // enough of everything was seen
    expect(sums.answered).toBeGreaterThan(load.requests * 0.4);
    expect(sums.cutOff).toBeGreaterThan(load.requests * 0.1);
    expect(sums.refused).toBeLessThan(load.requests * 0.2);
    expect(sums.foundUnpaid).toBeGreaterThan(load.requests * 0.02);
  } finally {
    await Promise.all(nodes.map((node) => node.end("SIGKILL")));
    await store.close();
  }
}

describeEngines("units under kills", (host) => {
  test("every answer that arrives was charged what it says, nothing else was charged, and no image is had for nothing", {
    tags: ["UN10", "UN14"],
    timeout: 1_800_000,
  }, async () => {
    const { engine } = host();
    await run(
      await host().fresh(),
      engine === "postgres"
        ? { requests: searches(2000, 20_000), accounts: 50, kills: searches(4, 20), clients: 40, nodes: 2 }
        : { requests: searches(1500, 10_000), accounts: 20, kills: searches(3, 20), clients: 20, nodes: 1 },
    );
  });
});
