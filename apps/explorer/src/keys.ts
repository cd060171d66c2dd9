import type { Keys } from "./api.ts";
import { h } from "./dom.ts";

const NAME = "swath-key";

/** Prompts for the key once and keeps it for this tab's session only: it is never part of an address. */
export function sessionKeys(): Keys & { forget(): void } {
  let asking: Promise<string> | undefined;
  let key = sessionStorage.getItem(NAME) ?? undefined;

  const open = (rejected: string | undefined): Promise<string> =>
    new Promise((resolve) => {
      const input = h("input", {
        id: "key",
        type: "password",
        name: "key",
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: "false",
        required: true,
        "aria-describedby": "key-note",
      });
      const show = h("input", { type: "checkbox", id: "key-show" });
      show.addEventListener("change", () => {
        input.type = show.checked ? "text" : "password";
      });
      const dialog = h(
        "dialog",
        { class: "key-dialog", "aria-labelledby": "key-title" },
        h(
          "form",
          { method: "dialog" },
          h("h2", { id: "key-title" }, "Your API key"),
          h(
            "p",
            { id: "key-note" },
            "Searching and rendering need a key. A service started with ",
            h("code", {}, "npm start"),
            " prints one. It is kept in this tab until you close it, and sent in a header only.",
          ),
          rejected !== undefined && h("p", { class: "key-rejected", role: "alert" }, rejected),
          h("label", { for: "key" }, "Key"),
          input,
          h("label", { class: "check" }, show, "Show the key"),
          h("div", { class: "row end" }, h("button", { class: "primary", type: "submit" }, "Continue")),
        ),
      );
      // without a key there is nothing behind the dialog to go back to
      dialog.addEventListener("cancel", (event) => event.preventDefault());
      dialog.addEventListener("close", () => {
        const given = input.value.trim();
        if (given === "") {
          dialog.showModal();
          return;
        }
        key = given;
        sessionStorage.setItem(NAME, given);
        dialog.remove();
        resolve(given);
      });
      document.body.append(dialog);
      dialog.showModal();
      input.focus();
    });

  return {
    current: () => key,
    ask(rejected) {
      asking ??= open(rejected).finally(() => {
        asking = undefined;
      });
      return asking;
    },
    forget() {
      key = undefined;
      sessionStorage.removeItem(NAME);
    },
  };
}
