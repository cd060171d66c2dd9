/** Milliseconds of work after which other requests get their turn. */
const TURN_MS = 8;
/** Characters that are sent at once. */
const CHUNK = 1 << 16;

/**
 * An answer of text that is made part by part while it is sent: between parts other requests get their turn, and of a long
 * answer no more than a part is in memory.
 *
 * @param parts each made when it is its turn; the first ones before the answer begins
 */
export function textAnswer(parts: Iterable<string>, headers: Readonly<Record<string, string>>): Response {
  const source = parts[Symbol.iterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const since = performance.now();
      let text = "";
      let isDone = false;
      while (!isDone && text.length < CHUNK && performance.now() - since < TURN_MS) {
        const { value, done } = source.next();
        isDone = done === true;
        if (!isDone) text += value;
      }
      if (text !== "") controller.enqueue(encoder.encode(text));
      if (isDone) controller.close();
      else await new Promise((resolve) => setImmediate(resolve));
    },
    cancel() {
      source.return?.();
    },
  });
  return new Response(body, { headers });
}

/**
 * A JSON object of some members and a list, in parts.
 *
 * @param name of the list, which comes first
 * @param toValue makes the value of an entry when it is its turn
 */
export function* jsonParts<T>(
  name: string,
  list: readonly T[],
  toValue: (entry: T, number: number) => unknown,
  members: Readonly<Record<string, unknown>>,
): Generator<string, undefined> {
  let text = `{${JSON.stringify(name)}:[`;
  for (const [number, entry] of list.entries()) {
    yield text + JSON.stringify(toValue(entry, number));
    text = ",";
  }
  const rest = JSON.stringify(members).slice(1);
  yield `${text.endsWith("[") ? text : ""}]${rest === "}" ? "" : ","}${rest}`;
}
