import { whenAborted } from "./when-aborted.ts";

/** `promise`, or the signal's reason as soon as it aborts, for work that does not listen to it. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    promise.then(resolve, reject).finally(whenAborted(signal, abort));
  });
}
