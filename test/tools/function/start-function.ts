import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** Answer of a function, as a gateway reads it. */
interface Result {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Whoever waits for an answer. */
interface Waiting {
  readonly resolve: (answer: Response) => void;
  readonly reject: (reason: Error) => void;
}

/** A function that runs below a stand-in of the runtime interface. */
export interface RunningFunction {
  readonly process: ChildProcess;
  /** Sends a request as a function URL does, and waits for its answer. */
  request(path: string, options?: RequestOptions): Promise<Response>;
  stop(): Promise<void>;
}

/** Host of the function's addresses. */
export const FUNCTION_HOST = "abc123.lambda-url.us-west-2.on.aws";

/** Event of a request in payload format 2.0. */
function eventOf(address: string, { method = "GET", headers = {}, body }: RequestOptions): object {
  const { pathname, search } = new URL(address, `https://${FUNCTION_HOST}`);
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: { host: FUNCTION_HOST, "x-forwarded-for": "203.0.113.7", ...headers },
    requestContext: {
      domainName: FUNCTION_HOST,
      requestId: randomUUID(),
      stage: "$default",
      http: { method, path: pathname, protocol: "HTTP/1.1", sourceIp: "203.0.113.7", userAgent: "test" },
    },
    ...(body === undefined ? {} : { body }),
    isBase64Encoded: false,
  };
}

function responseOf({ statusCode, headers, body, isBase64Encoded }: Result): Response {
  const bytes = Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
  return new Response(bytes.length === 0 ? null : bytes, { status: statusCode, headers });
}

/**
 * Starts the function in a folder with nothing but these variables, and answers its runtime's questions for events.
 *
 * @param folder the unpacked file
 */
export async function startFunction(
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<RunningFunction> {
  const events: { readonly id: string; readonly event: object }[] = [];
  const answers = new Map<string, Waiting>();
  let idle: ServerResponse | undefined;
  let failure: Error | undefined;
  const fail = (reason: string): void => {
    failure ??= new Error(reason);
    for (const { reject } of answers.values()) reject(failure);
  };
  const sendNext = (): void => {
    if (idle === undefined) return;
    const next = events.shift();
    if (next === undefined) return;
    idle.setHeader("Lambda-Runtime-Aws-Request-Id", next.id).end(JSON.stringify(next.event));
    idle = undefined;
  };
  const server = createServer(async (request, response) => {
    const [, what, id, outcome] =
      /^\/2018-06-01\/runtime\/(invocation|init)\/([^/]+)(?:\/(\w+))?$/.exec(request.url!) ?? [];
    if (what === "invocation" && id === "next") {
      idle = response;
      return sendNext();
    }
    const body = await text(request);
    response.writeHead(202).end();
    if (what === "invocation" && outcome === "response") answers.get(id!)?.resolve(responseOf(JSON.parse(body)));
    else if (what === "invocation") answers.get(id!)?.reject(new Error(body));
    else fail(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const runtime = fileURLToPath(new URL("./runtime.mjs", import.meta.url));
  const child = spawn(process.execPath, [runtime, folder], {
    cwd: folder,
    env: { AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`, ...variables },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  void ended.then(() => fail("The function has ended."));
  return {
    process: child,
    request(path, options = {}) {
      if (failure !== undefined) return Promise.reject(failure);
      const id = randomUUID();
      const answer = new Promise<Response>((resolve, reject) => answers.set(id, { resolve, reject }));
      events.push({ id, event: eventOf(path, options) });
      sendNext();
      return answer.finally(() => answers.delete(id));
    },
    async stop() {
      child.kill("SIGKILL");
      await ended;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
