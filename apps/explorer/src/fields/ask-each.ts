/** The state of one question among many. */
export type Answer<T> =
  | { readonly state: "waiting" | "asking" | "stopped" }
  | { readonly state: "done"; readonly value: T }
  | { readonly state: "failed"; readonly error: unknown };

export interface AskOptions<K, T> {
  readonly ask: (key: K, signal: AbortSignal) => Promise<T>;
  readonly onAnswer: (key: K, answer: Answer<T>) => void;
  /** Questions at a time. */
  readonly parallel: number;
  /** Where it is aborted, what runs is cancelled and what waits is not asked. */
  readonly signal: AbortSignal;
  /** Whether a failure is one that all other questions would meet too, such as spent units: they are stopped then. */
  readonly endsAll: (error: unknown) => boolean;
}

/**
 * Asks the same of many, in their order and a few at a time, and tells each answer as it comes. It resolves when nothing runs any
 * more; one that fails does not keep the others.
 */
export async function askEach<K, T>(keys: readonly K[], options: AskOptions<K, T>): Promise<void> {
  const { ask, onAnswer, parallel, endsAll } = options;
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const left = [...keys];
  for (const key of keys) onAnswer(key, { state: "waiting" });
  const work = async (): Promise<void> => {
    while (left.length > 0 && !signal.aborted) {
      const key = left.shift() as K;
      onAnswer(key, { state: "asking" });
      try {
        onAnswer(key, { state: "done", value: await ask(key, signal) });
      } catch (error) {
        onAnswer(key, signal.aborted ? { state: "stopped" } : { state: "failed", error });
        if (!signal.aborted && endsAll(error)) ending.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, keys.length) }, work));
  for (const key of left) onAnswer(key, { state: "stopped" });
}
