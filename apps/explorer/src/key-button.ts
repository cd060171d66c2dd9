import type { Credentials } from "./credentials.ts";
import { h } from "./dom.ts";
import type { Person } from "./person.ts";

/** The button that gives the page a key, by `useKey`, or another one than it has. */
export function keyButton(person: Person, credentials: Credentials, useKey: () => Promise<void>): HTMLButtonElement {
  const button = h("button", { type: "button", class: "plain" });
  const show = (): void => {
    button.textContent = credentials.hasKey ? "Change key" : "Use a key";
  };
  button.addEventListener("click", () => {
    if (!credentials.hasKey) {
      void useKey();
      return;
    }
    person.key = undefined;
    const reload = (): void => location.reload();
    credentials.ask().then(reload, reload);
  });
  credentials.onChange(show);
  show();
  return button;
}
