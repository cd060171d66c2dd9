import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpServer } from "@swath/web/server";
import { expect, onTestFinished, test } from "vitest";
import { createApp } from "../../src/service/app.ts";
import { FULL, memoryStore, sandboxServices } from "../tools/harness.ts";
import { accountsOn } from "./accounts-on.ts";

test("over sockets, callers without a credential count by their own address, whatever they forward", {
  tags: ["AC4"],
}, async () => {
  const store = await memoryStore();
  const services = await sandboxServices({
    registry: FULL.registry,
    addressLimits: accountsOn(store).addressLimits,
    catalog: { search: async () => ({ items: [] }) } as never,
  });
  const server = createHttpServer(createApp(services, FULL.create(services)), { hostname: "127.0.0.1" });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    await store.close();
  });
  const { port } = server.address() as AddressInfo;
  const search = async (localAddress: string, forwarded: string): Promise<number | undefined> => {
    const headers = { "X-Forwarded-For": forwarded };
    const sent = request({ host: "127.0.0.1", port, path: "/v1/search?limit=1", localAddress, headers, agent: false });
    const [answer] = await once(sent.end(), "response");
    answer.resume();
    return answer.statusCode;
  };
  const statuses: (number | undefined)[] = [];
  for (let i = 0; i < 301; i++) statuses.push(await search("127.0.0.1", `192.0.2.${i % 250}`));
  expect(statuses.filter((status) => status === 200)).toHaveLength(300);
  expect(statuses.at(-1)).toBe(429);
  // another address of this machine
  expect(await search("127.0.0.2", "192.0.2.1")).toBe(200);
});
