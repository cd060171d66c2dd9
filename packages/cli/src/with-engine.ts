import type { Context } from "./main.ts";
import type { OpenedEngine } from "./open-engine.ts";
import type { CommonOptions } from "./options.ts";
import { Progress } from "./print.ts";

/** Opens the engine for one piece of work, and closes it afterwards. */
export async function withEngine<T>(
  { terminal, openEngine, signal, environment }: Context,
  options: CommonOptions,
  work: (parts: OpenedEngine["parts"]) => Promise<T>,
): Promise<T> {
  const making = new Progress(terminal, "Making a synthetic archive (the first time only)");
  const engine = await openEngine({
    ...options,
    environment,
    signal,
    onMaking: (done) => making.show(done),
  });
  making.end();
  try {
    return await work(engine.parts);
  } finally {
    await engine.close();
  }
}
