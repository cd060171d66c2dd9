import { type Context, main } from "../src/index.ts";

export interface Ran {
  readonly code: number;
  /** Text on standard output. */
  readonly out: Buffer;
  /** Text on standard error. */
  readonly err: string;
}

/** Runs a command line in this process, on one render thread, over the scenes that `context` opens. */
export async function runCommand(
  args: readonly string[],
  context: Pick<Context, "openScenes"> & Partial<Context>,
): Promise<Ran> {
  const out: Uint8Array[] = [];
  let err = "";
  const code = await main(["--threads", "1", ...args], {
    write: (data) => out.push(Buffer.from(data as string)),
    warn: (text) => {
      err += text;
    },
    isWatched: false,
    signal: new AbortController().signal,
    environment: {},
    now: () => new Date(),
    ...context,
  });
  return { code, out: Buffer.concat(out), err };
}
