type Child = Node | string | number | false | null | undefined | readonly Child[];
type Value = string | number | boolean | undefined | ((event: never) => void);

function append(parent: Element, child: Child): void {
  if (child === undefined || child === null || child === false) return;
  if (Array.isArray(child)) for (const each of child as readonly Child[]) append(parent, each);
  else parent.append(child instanceof Node ? child : String(child));
}

function put(element: Element, properties: Readonly<Record<string, Value>>): void {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** An element with attributes, listeners (`onclick`) and children; absent and `false` ones are omitted. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Readonly<Record<string, Value>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  put(element, properties);
  append(element, children);
  return element;
}

/** The same for SVG. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  properties: Readonly<Record<string, Value>> = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  put(element, properties);
  append(element, children);
  return element;
}
