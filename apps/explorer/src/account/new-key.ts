import { problemFrom } from "../api/problem-from.ts";
import { problemCard } from "../ui/problem-element.tsx";
import type { KeyRequest, NewKey, Scope } from "./account-api.ts";
import { copyField } from "./copy.ts";
import { h } from "./dom.ts";

/** Lives of keys, in days; 0: without an end. */
const LIVES: readonly (readonly [days: number, text: string])[] = [
  [30, "30 days"],
  [90, "90 days"],
  [365, "A year"],
  [0, "Does not expire"],
];
const USUAL_LIFE = 90;

const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  data: "Search, images, extraction and statistics",
  account: "The account and its keys",
};

/** The form of a new key. `create` makes it. */
export function newKeyForm(create: (asked: KeyRequest) => Promise<void>): HTMLFormElement {
  const name = h("input", { id: "key-name", type: "text", required: true, maxlength: 64, autocomplete: "off" });
  const scopes = (Object.entries(SCOPE_TEXTS) as [Scope, string][]).map(([scope, text]) => ({
    scope,
    text,
    input: h("input", { type: "checkbox", name: "scope", value: scope, checked: scope === "data" }),
  }));
  const life = h(
    "select",
    { id: "key-life" },
    LIVES.map(([days, text]) => h("option", { value: days, selected: days === USUAL_LIFE }, text)),
  );
  const submit = h("button", { type: "submit", class: "primary" }, "Make the key");
  const problem = h("div");
  const chosen = (): Scope[] => scopes.filter(({ input }) => input.checked).map(({ scope }) => scope);
  const check = (): void => {
    scopes[0]?.input.setCustomValidity(chosen().length === 0 ? "A key needs at least one scope." : "");
  };
  for (const { input } of scopes) input.addEventListener("change", check);
  const form = h(
    "form",
    { class: "new-key", "aria-label": "New key" },
    h("div", { class: "field" }, h("label", { for: "key-name" }, "Name, to know it by"), name),
    h("div", { class: "field" }, h("label", { for: "key-life" }, "Expires after"), life),
    h(
      "fieldset",
      {},
      h("legend", {}, "What it may do"),
      scopes.map(({ text, input, scope }) =>
        h("label", { class: "check" }, input, h("span", {}, text, " ", h("code", {}, scope))),
      ),
    ),
    problem,
    submit,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const days = Number(life.value);
    submit.disabled = true;
    problem.replaceChildren();
    create({ name: name.value.trim(), scopes: chosen(), ...(days === 0 ? {} : { expiresInDays: days }) })
      .catch((error: unknown) => problem.replaceChildren(problemCard(problemFrom(error))))
      .finally(() => {
        submit.disabled = false;
      });
  });
  return form;
}

/** The secret of a new key, until `onDone`. It is in the page's memory alone, and nowhere after that. */
export function newKeySecret({ name, secret }: NewKey, onDone: () => void): HTMLElement {
  const { element, button } = copyField("new-secret", secret);
  const done = h("button", { type: "button", onclick: () => onDone() }, "I have kept it");
  const card = h(
    "div",
    { class: "new-secret", role: "group", "aria-labelledby": "new-secret-title" },
    h("h3", { id: "new-secret-title" }, `The key “${name}”`),
    h("p", {}, "Copy it now: it is shown this once. The service stores a hash of it and cannot show it again."),
    element,
    h("p", { class: "quiet" }, "Send it in the header ", h("code", {}, "X-API-Key"), "."),
    done,
  );
  queueMicrotask(() => button.focus());
  return card;
}
