/**
 * Waits for work that runs side by side under one signal: the first that fails aborts the others, and none of it is
 * running any more when this ends.
 *
 * @param signal ends all of it.
 * @param begin starts the work with the signal that it has to obey.
 * @returns what each gave, in order.
 * @throws the reason of `signal` where it is aborted, else the first failure.
 */
export async function runTogether<T>(
  signal: AbortSignal,
  begin: (signal: AbortSignal) => readonly Promise<T>[],
): Promise<T[]> {
  const failure = new AbortController();
  const all = begin(AbortSignal.any([signal, failure.signal]));
  try {
    return await Promise.all(all);
  } catch (error) {
    failure.abort(error);
    await Promise.allSettled(all);
    signal.throwIfAborted();
    throw error;
  }
}
