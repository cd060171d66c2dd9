import { copyText } from "../ui/copy-text.ts";
import { h } from "./dom.ts";

/**
 * A text, and a button that copies it; where the browser does not let the page copy, the text is selected.
 *
 * @param id of the element that holds the text.
 */
export function copyField(
  id: string,
  text: string,
): { readonly element: HTMLElement; readonly button: HTMLButtonElement } {
  const field = h("code", { id, class: "secret" }, text);
  const said = h("span", { role: "status", class: "quiet" });
  const button = h("button", { type: "button", class: "primary" }, "Copy");
  button.addEventListener("click", () => {
    copyText(text).then(
      () => {
        said.textContent = "Copied.";
      },
      () => {
        getSelection()?.selectAllChildren(field);
        said.textContent = "The browser does not let this page copy. The key is selected: copy it by hand.";
      },
    );
  });
  return { element: h("div", { class: "copy" }, h("div", { class: "row" }, field, button), said), button };
}
