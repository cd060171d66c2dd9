import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../api/api-error.ts";
import { problemFrom } from "../api/problem-from.ts";

interface Answer<T> {
  readonly answer?: T;
  readonly problem?: Problem;
}

/**
 * The answer to a question, asked again when the question has changed; the former one stays until it is there.
 *
 * @param question - plain values; undefined: none
 */
export function useAnswer<Q, T>(
  question: Q | undefined,
  read: (question: Q, signal: AbortSignal) => Promise<T>,
): Answer<T> {
  const [state, setState] = useState<Answer<T>>({});
  useEffect(() => {
    if (question === undefined) return undefined;
    const abort = new AbortController();
    read(question, abort.signal).then(
      (answer) => {
        if (!abort.signal.aborted) setState({ answer });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setState({ problem: problemFrom(error) });
      },
    );
    return () => abort.abort();
  }, [JSON.stringify(question)]);
  return state;
}
