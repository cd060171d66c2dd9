/** The client has cancelled the request: it wants no answer any more. */
export class RequestCancelled extends Error {
  override readonly name = "RequestCancelled";
}

/** Returns whether the client has cancelled the call that has this signal. */
export const isCancelled = ({ aborted, reason }: AbortSignal): boolean => aborted && reason instanceof RequestCancelled;

/** A request of a session, as a notification names it. */
export interface RequestName {
  readonly session: string;
  readonly id: string | number;
}

/** The requests of sessions that this node is answering, so that their clients can cancel them. */
export class RunningRequests {
  readonly #running = new Map<string, Set<AbortController>>();

  /**
   * Answers a request until it is cancelled.
   *
   * @param answer gets a signal that is aborted with `RequestCancelled`.
   */
  async run<T>(name: RequestName, answer: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const key = keyOf(name);
    const own = new AbortController();
    // a careless client gives two requests one id
    const all = this.#running.get(key) ?? new Set();
    this.#running.set(key, all.add(own));
    try {
      return await answer(own.signal);
    } finally {
      all.delete(own);
      if (all.size === 0) this.#running.delete(key);
    }
  }

  /** Ends a request; one that is answered already, or by another node, is left alone. */
  cancel(name: RequestName): void {
    for (const own of this.#running.get(keyOf(name)) ?? []) {
      own.abort(new RequestCancelled("The client cancelled the request."));
    }
  }
}

/** The ids `1` and `"1"` are two. */
const keyOf = ({ session, id }: RequestName): string => `${session} ${JSON.stringify(id)}`;
