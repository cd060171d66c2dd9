interface Abort {
  readonly calls: Set<() => void>;
  readonly run: () => void;
}

/** A signal has one listener for all of its calls: before Node 24, Node warns of a signal with more than ten. */
const aborts = new WeakMap<AbortSignal, Abort>();

function listenTo(signal: AbortSignal): Abort {
  const calls = new Set<() => void>();
  const run = (): void => {
    for (const call of calls) call();
  };
  signal.addEventListener("abort", run, { once: true });
  const abort = { calls, run };
  aborts.set(signal, abort);
  return abort;
}

/**
 * Calls `call` once `signal` aborts, whatever many calls wait for the same signal.
 *
 * @param call one function for each wait
 * @returns ends the wait.
 */
export function whenAborted(signal: AbortSignal, call: () => void): () => void {
  const { calls, run } = aborts.get(signal) ?? listenTo(signal);
  calls.add(call);
  return () => {
    calls.delete(call);
    // a signal without listeners can be collected
    if (calls.size > 0 || aborts.get(signal)?.run !== run) return;
    aborts.delete(signal);
    signal.removeEventListener("abort", run);
  };
}

/** `promise`, or the signal's reason as soon as it aborts, for work that does not listen to it. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    promise.then(resolve, reject).finally(whenAborted(signal, abort));
  });
}
