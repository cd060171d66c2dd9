import { expect, test } from "vitest";
import {
  type AccessRequest,
  AccessServer,
  createSharedAccess,
  ThreadAccess,
} from "../../../../src/run/files/access/shared-access.ts";
import { createSources } from "../../../../src/run/files/sources.ts";

const TOKENS = "https://tokens.example/sign";
const storage = { buckets: [], servers: [{ host: "*.blob.core.windows.net", tokenService: TOKENS }] };
const FILE = "https://a.blob.core.windows.net/one/file.tif";

/** A file that a thread reads with the tokens of another one, and the messages that it sends there. */
function threaded(send: (url: URL) => Response) {
  const messages: AccessRequest[] = [];
  let tokens = 0;
  const fetch = async (input: string | URL): Promise<Response> => {
    const url = new URL(input);
    if (!url.href.startsWith(TOKENS)) return send(url);
    tokens += 1;
    return Response.json({ token: `sig=${tokens}`, "msft:expiry": "2999-01-01T00:00:00Z" });
  };
  const access = new ThreadAccess((message) => {
    messages.push(message);
    server.receive(message);
  });
  const server = new AccessServer(createSharedAccess({ storage, fetch }), (answer) => access.receive(answer));
  const settings = { storage, s3: { region: "us-west-2" }, fetch, resolve: async () => [] };
  const source = createSources({ ...settings, assetHosts: ["*.blob.core.windows.net"] }, access)(FILE);
  const counted = () => messages.splice(0).map(({ what }) => what);
  return { source, counted };
}

const bytes = (): Response =>
  new Response(new Uint8Array(4), { status: 206, headers: { "Content-Range": "bytes 0-3/4" } });

test("a thread sends one message for the token of a read", async () => {
  const { source, counted } = threaded(bytes);
  for (let i = 0; i < 3; i++) {
    expect(await source.read(0, 4)).toHaveLength(4);
    expect(counted()).toEqual(["token"]);
  }
  await Promise.all([source.read(0, 4), source.read(0, 4)]);
  expect(counted()).toEqual(["token", "token"]);
});

test("a thread whose token is refused gives it back and asks for another", async () => {
  const { source, counted } = threaded(({ search }) =>
    search === "?sig=1" ? new Response("", { status: 403 }) : bytes(),
  );
  expect(await source.read(0, 4)).toHaveLength(4);
  expect(counted()).toEqual(["token", "forget", "token"]);
  expect(await source.read(0, 4)).toHaveLength(4);
  expect(counted()).toEqual(["token"]);
});
