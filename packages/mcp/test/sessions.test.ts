import { afterEach, expect, test, vi } from "vitest";
import { memorySessions } from "../src/index.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const session = { protocol: "2025-11-25" };

test("a session has a secret id, is found by its caller alone, and ends once", async () => {
  const sessions = memorySessions();
  const ids = await Promise.all([1, 2].map(() => sessions.start("ada", session)));
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^[\w-]{43}$/);
  const [id = ""] = ids;
  expect(await sessions.find(id, "ada")).toMatchObject(session);
  expect([await sessions.find(id, "bob"), await sessions.end(id, "bob")]).toEqual([undefined, false]);
  expect([await sessions.end(id, "ada"), await sessions.end(id, "ada")]).toEqual([true, false]);
  expect(await sessions.find(id, "ada")).toBeUndefined();
});

test("with one more than there may be, the least recently used ends", async () => {
  const sessions = memorySessions({ max: 2 });
  const [a, b] = [await sessions.start("", session), await sessions.start("", session)];
  await sessions.find(a, "");
  const c = await sessions.start("", session);
  const found = await Promise.all([a, b, c].map((id) => sessions.find(id, "")));
  expect(found.map((each) => each !== undefined)).toEqual([true, false, true]);
});

test("an idle session ends; what another asks does not keep it", async () => {
  let time = 1000;
  vi.spyOn(performance, "now").mockImplementation(() => time);
  const sessions = memorySessions({ idleMs: 500 });
  const id = await sessions.start("ada", session);
  for (let i = 0; i < 2; i++) {
    time += 400;
    expect(await sessions.find(id, "ada")).toMatchObject(session);
  }
  time += 400;
  expect(await sessions.find(id, "bob")).toBeUndefined();
  time += 200;
  expect([await sessions.find(id, "ada"), await sessions.end(id, "ada")]).toEqual([undefined, false]);
});
