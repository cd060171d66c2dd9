import { problemFrom } from "../api/problem-from.ts";
import { problemCard } from "../ui/problem-element.tsx";
import { h } from "./dom.ts";

export interface Confirmation {
  readonly title: string;
  readonly text: string;
  /** Label of the button that carries it out. */
  readonly action: string;
  /** Text that has to be typed first; absent: a click is enough. */
  readonly typed?: { readonly label: string; readonly value: string };
  readonly run: () => Promise<void>;
}

/** Has a step confirmed that cannot be taken back; the dialog stays open, with the problem, where it fails. */
export function confirmStep({ title, text, action, typed, run }: Confirmation): void {
  const problem = h("div");
  const input = typed && h("input", { id: "confirm-typed", type: "text", autocomplete: "off", spellcheck: "false" });
  const submit = h("button", { type: "submit", class: "danger", disabled: typed !== undefined }, action);
  const cancel = h("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  input?.addEventListener("input", () => {
    submit.disabled = input.value.trim().toLowerCase() !== typed?.value.toLowerCase();
  });
  const form = h(
    "form",
    {},
    h("h2", { id: "confirm-title" }, title),
    h("p", { id: "confirm-text" }, text),
    typed && h("div", { class: "field" }, h("label", { for: "confirm-typed" }, typed.label), input),
    problem,
    h("div", { class: "row end" }, cancel, submit),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit.disabled = true;
    run().then(
      () => dialog.close(),
      (error: unknown) => {
        problem.replaceChildren(problemCard(problemFrom(error)));
        submit.disabled = false;
      },
    );
  });
  const dialog = h(
    "dialog",
    { class: "confirm-dialog", "aria-labelledby": "confirm-title", "aria-describedby": "confirm-text" },
    form,
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  (input ?? cancel).focus();
}
