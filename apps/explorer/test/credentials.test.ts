import { expect, test } from "vitest";
import { ApiError, type Problem } from "../src/api/api-error.ts";
import type { KeyQuestion } from "../src/api/credentials.ts";
import { Credentials } from "../src/api/credentials.ts";
import { Guest } from "../src/api/guest.ts";
import { Person } from "../src/api/person.ts";
import { memory } from "./memory.ts";

const HOUR = 3_600_000;
const problem = (status: number, code: string): Problem => ({ title: code, status, code, detail: `It is ${code}.` });

interface Service {
  readonly guest: Guest;
  readonly clock: { now: number };
  /** Answers to come, instead of tokens. */
  readonly refusals: Response[];
  asked(): number;
}

/** A service that gives the tokens `guest-1`, `guest-2` and so on. */
function guestService(remembered = memory()): Service {
  const clock = { now: 0 };
  const refusals: Response[] = [];
  let asked = 0;
  const request = async (): Promise<Response> => {
    asked += 1;
    const refusal = refusals.shift();
    if (refusal !== undefined) return refusal;
    return Response.json(
      { accessToken: `guest-${asked}`, tokenType: "Bearer", expiresIn: 3600, units: 100 },
      { status: 201 },
    );
  };
  const guest = new Guest({ request, memory: remembered, now: () => clock.now });
  return { guest, clock, refusals, asked: () => asked };
}

interface Page {
  readonly credentials: Credentials;
  readonly person: Person;
  readonly questions: KeyQuestion[];
}

/** A page whose user answers prompts with `answers`, then closes them. */
function page(guest: Guest | undefined, answers: readonly string[] = []): Page {
  const person = new Person(memory());
  const questions: KeyQuestion[] = [];
  const left = [...answers];
  const ask = async (question: KeyQuestion): Promise<string | undefined> => {
    questions.push(question);
    return left.shift();
  };
  return {
    person,
    questions,
    credentials: new Credentials({ person, ask, ...(guest === undefined ? {} : { guest }) }),
  };
}

test("a guest's token is kept through reloads, and renewed before it ends", { tags: ["AC23"] }, async () => {
  const remembered = memory();
  const { guest, clock, asked } = guestService(remembered);
  expect(await Promise.all([guest.token(), guest.token()])).toEqual(["guest-1", "guest-1"]);
  clock.now = HOUR - 60_001;
  const reloaded = new Guest({
    request: () => Promise.reject(new Error("No request.")),
    memory: remembered,
    now: () => clock.now,
  });
  expect(await reloaded.token()).toBe("guest-1");
  clock.now = HOUR - 60_000;
  expect(await guest.token()).toBe("guest-2");
  expect(asked()).toBe(2);
});

test("a token that cannot be renewed is used to its end, and another one is asked for after a while", async () => {
  const { guest, clock, refusals, asked } = guestService();
  await guest.token();
  clock.now = HOUR - 30_000;
  refusals.push(new Response("", { status: 503 }));
  expect(await guest.token()).toBe("guest-1");
  expect(await guest.token()).toBe("guest-1");
  expect(asked()).toBe(2);
  clock.now += 10_000;
  expect(await guest.token()).toBe("guest-3");
});

test.each([
  { status: 404, wait: HOUR, token: undefined },
  { status: 403, wait: HOUR, token: undefined },
  { status: 429, wait: 1_799_000, token: undefined },
  { status: 429, wait: 1_800_000, token: "guest-2" },
])("after a $status and $wait ms the token is $token", async ({ status, wait, token }) => {
  const { guest, clock, refusals } = guestService();
  refusals.push(Response.json({ title: "Refused", status, retryAfter: 1800 }, { status }));
  expect(await guest.token()).toBeUndefined();
  clock.now += wait;
  expect(await guest.token()).toBe(token);
});

test("a spent token is not replaced before it ends, reloads or not", async () => {
  const remembered = memory();
  const { guest, clock, asked } = guestService(remembered);
  guest.spend((await guest.token()) ?? "");
  expect(await guest.token()).toBeUndefined();
  const { guest: reloaded, asked: askedAgain } = guestService(remembered);
  expect(await reloaded.token()).toBeUndefined();
  expect([asked(), askedAgain()]).toEqual([1, 0]);
  clock.now = HOUR;
  expect(await guest.token()).toBe("guest-2");
});

test("without a key: documents and searches go without a credential, images as a guest, data after a prompt", async () => {
  const { credentials, questions } = page(guestService().guest, ["given"]);
  expect(await credentials.headersFor("documents")).toEqual({});
  expect(await credentials.headersFor("search")).toEqual({});
  expect(await credentials.headersFor("images")).toEqual({ Authorization: "Bearer guest-1" });
  expect(questions).toEqual([]);
  expect(await credentials.headersFor("data")).toEqual({ "X-API-Key": "given" });
  expect(questions).toEqual([{ canDismiss: true }]);
  for (const need of ["search", "images", "data"] as const)
    expect(await credentials.headersFor(need)).toEqual({ "X-API-Key": "given" });
  expect(await credentials.headersFor("documents")).toEqual({});
});

test("a session of the account page serves where no key is given, and is forgotten when it ends", async () => {
  const { credentials, person, questions } = page(guestService().guest);
  person.session = "session-1";
  const used = await credentials.headersFor("data");
  expect(used).toEqual({ Authorization: "Bearer session-1" });
  expect(await credentials.recover(used, problem(429, "quota-exhausted"))).toBe(false);
  expect(person.session).toBe("session-1");
  expect(await credentials.recover(used, problem(401, "invalid-key"))).toBe(true);
  expect(person.session).toBeUndefined();
  expect(await credentials.headersFor("images")).toEqual({ Authorization: "Bearer guest-1" });
  person.session = "session-2";
  person.key = "mine";
  expect(await credentials.headersFor("data")).toEqual({ "X-API-Key": "mine" });
  expect(questions).toEqual([]);
});

test("a refused key is asked for again with the reason, once for all requests", async () => {
  const { credentials, person, questions } = page(undefined, ["right"]);
  person.key = "wrong";
  const used = await credentials.headersFor("data");
  const all = [1, 2, 3].map(() => credentials.recover(used, problem(401, "invalid-key")));
  expect(await Promise.all(all)).toEqual([true, true, true]);
  // one that was under way when the key was given
  expect(await credentials.recover(used, problem(401, "invalid-key"))).toBe(true);
  expect(questions).toEqual([{ canDismiss: false, reason: "This key is unknown or disabled." }]);
  expect(await credentials.headersFor("data")).toEqual({ "X-API-Key": "right" });
  expect(await credentials.recover({ "X-API-Key": "right" }, problem(403, "insufficient-scope"))).toBe(false);
});

test("a guest's token that the service does not know is replaced without a word", async () => {
  const { credentials, questions } = page(guestService().guest);
  const used = await credentials.headersFor("images");
  expect(await credentials.recover(used, problem(401, "invalid-key"))).toBe(true);
  expect(await credentials.recover(used, problem(401, "invalid-key"))).toBe(true);
  expect(await credentials.headersFor("images")).toEqual({ Authorization: "Bearer guest-2" });
  expect(questions).toEqual([]);
});

test("when a guest's units are spent the page prompts once, and after that only who asks for data", async () => {
  const { credentials, questions } = page(guestService().guest);
  const used = await credentials.headersFor("images");
  const spent = problem(429, "quota-exhausted");
  const both = await Promise.allSettled([1, 2].map(() => credentials.recover(used, spent)));
  expect(both.map((each) => each.status === "rejected" && each.reason instanceof ApiError)).toEqual([true, true]);
  expect(questions).toEqual([{ canDismiss: true, reason: expect.stringContaining("give your key") }]);
  // what is rendered already is still shown; what is not is refused without another prompt
  expect(await credentials.headersFor("images")).toEqual({});
  await expect(credentials.recover({}, problem(401, "invalid-key"))).rejects.toThrow(ApiError);
  expect(questions).toHaveLength(1);
  await expect(credentials.headersFor("data")).rejects.toThrow(ApiError);
  expect(questions).toHaveLength(2);
});

test("where this page gets no guest tokens a refused image leads to the prompt", async () => {
  const { credentials, questions } = page(guestService().guest, ["given"]);
  const used = await credentials.headersFor("images");
  expect(await credentials.recover(used, problem(403, "origin-not-allowed"))).toBe(true);
  const none = await credentials.headersFor("images");
  expect(none).toEqual({});
  expect(await credentials.recover(none, problem(401, "invalid-key"))).toBe(true);
  expect(questions).toHaveLength(1);
  expect(await credentials.headersFor("images")).toEqual({ "X-API-Key": "given" });
});

test("a page of a site that gets no guest tokens says so when it asks for a key, and asks for no more tokens", async () => {
  for (const [isElsewhere, refuse] of [
    // a refusal that a page of another site cannot read
    [true, () => Promise.reject(new TypeError("Failed to fetch"))],
    [false, async () => Response.json(problem(403, "origin-not-allowed"), { status: 403 })],
  ] as const) {
    let asked = 0;
    const request = (): Promise<Response> => {
      asked += 1;
      return refuse();
    };
    const { credentials, questions } = page(new Guest({ request, memory: memory(), isElsewhere }));
    expect(await credentials.headersFor("images")).toEqual({});
    await expect(credentials.recover({}, problem(401, "missing-credentials"))).rejects.toThrow(/needs an API key/);
    expect(questions).toEqual([{ canDismiss: true, reason: expect.stringContaining("not on this site") }]);
    expect(await credentials.headersFor("images")).toEqual({});
    expect(asked).toBe(1);
  }
});
