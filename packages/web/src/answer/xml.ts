/** An element: its name with prefix, its attributes, and what it holds in order. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

type Children = readonly (XmlElement | string | undefined)[];

/** An element with children alone; `undefined` stands for one that is left out. */
export function element(name: string, ...children: Children): XmlElement {
  return elementWith(name, {}, ...children);
}

/** An element with attributes. Names are written as they are: they come from code, never from data. */
export function elementWith(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: Children
): XmlElement {
  return { name, attributes, children: children.filter((child) => child !== undefined) };
}

/** An XML 1.0 document in UTF-8. Text and attributes may hold any characters. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, "")}\n`;
}

function written({ name, attributes, children }: XmlElement, indent: string): string {
  const start = `${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join("")}`;
  if (children.length === 0) return `${indent}<${start}/>`;
  const isText = children.every((child) => typeof child === "string");
  if (isText) return `${indent}<${start}>${children.map((child) => escaped(child as string)).join("")}</${name}>`;
  const inner = `${indent}  `;
  const lines = children.map((child) =>
    typeof child === "string" ? `${inner}${escaped(child)}` : written(child, inner),
  );
  return `${indent}<${start}>\n${lines.join("\n")}\n${indent}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Characters that are not XML's `Char` (XML 1.0 section 2.2): control characters but tab and line ends, and two more. */
const NOT_CHAR = /(?![\t\n\r])[\p{Cc}\uFFFE\uFFFF](?<![\x7F-\x9F])/gu;

/** Characters that XML cannot hold, lone surrogates among them, become U+FFFD. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_CHAR, "\uFFFD")
    .replace(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? character);
}
