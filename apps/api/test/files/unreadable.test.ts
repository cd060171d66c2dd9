import { type AddressInfo, connect } from "node:net";
import { PROBLEM_MEDIA_TYPE, Problem } from "@swath/problem";
import { createHttpServer } from "@swath/web/server";
import { afterAll, beforeAll, expect, test } from "vitest";

const app = { fetch: (request: Request) => new Response(`read ${new URL(request.url).pathname}`) };
const server = createHttpServer(app, { hostname: "127.0.0.1", publicUrl: "https://api.example" });
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** All that a server sends back for some bytes. */
function answerTo(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

test.each([
  ["no HTTP at all", "hello\r\n\r\n", /no HTTP request/],
  ["a broken header", "GET /v1 HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n", /no HTTP request/],
  ["a request without a host", "GET /v1 HTTP/1.1\r\nConnection: close\r\n\r\n", /no Host/],
  ["a host that is none", "GET /v1 HTTP/1.1\r\nHost: b@d host\r\nConnection: close\r\n\r\n", /address/],
  ["an address that is none", "GET http://[bad/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", /address/],
  ["an asterisk", "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", /address/],
  ["an address that is too long", `GET /v1?a=${"a".repeat(65_536)} HTTP/1.1\r\n\r\n`, /65536 bytes/],
])("%s is answered with a problem document", { tags: ["H13"] }, async (_, text, expected) => {
  const [head = "", body = ""] = (await answerTo(text)).split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(head.toLowerCase()).toContain(`content-type: ${PROBLEM_MEDIA_TYPE}`);
  expect(head.toLowerCase()).toContain("access-control-allow-origin: *");
  const problem = Problem.parse(JSON.parse(body));
  expect(problem).toMatchObject({ status: 400, type: "https://api.example/problems/invalid-parameter" });
  expect(problem.detail).toMatch(expected);
  expect(head.toLowerCase()).toContain(`x-request-id: ${problem.requestId}`);
});

test("a long address within the limit is read", async () => {
  const answer = await answerTo(`GET /v1?a=${"a".repeat(30_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});
