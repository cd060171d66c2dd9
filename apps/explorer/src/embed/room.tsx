import { type ComponentType, render } from "preact";
import type { Room, Values } from "./part.ts";

/** Draws a component into shadow trees, with a style sheet that rules nothing else. */
export function roomOf(Component: ComponentType<Values>, styles: string): Room {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  return {
    show(root, values) {
      if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
      render(<Component {...values} />, root);
    },
    hide: (root) => render(null, root),
  };
}
