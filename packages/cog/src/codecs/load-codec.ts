import { CogError } from "../errors.ts";

/**
 * Loads a decoder when it is first needed, once. A load that fails is forgotten, so that a later one may succeed.
 *
 * @returns a function that gives the decoder. It throws {CogError} `codec-unavailable`: the file is not at fault.
 */
export function codecLoader<T>(name: string, load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new CogError("codec-unavailable", `The decoder of ${name} could not be loaded: ${reason}`, { cause });
    });
    return loading;
  };
}
