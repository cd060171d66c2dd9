/** The address that written examples name. */
export const WRITTEN_ADDRESS = "http://127.0.0.1:8080";

/** What examples say instead of what is written. */
export interface Reader {
  /** Origin of the server, such as `https://imagery.example`. */
  readonly address: string;
  /** Empty: the reader has none, and examples keep the word that stands for it. */
  readonly key: string;
}

/** Words that stand for a key: a variable of the shell, and a text in other languages. */
const KEY_WORDS = /\$KEY\b|your key/g;

/** Returns the text of an example as this reader would run it. A function, so that `$` in keys stays itself. */
export function personal(text: string, { address, key }: Reader): string {
  const there = text.replaceAll(WRITTEN_ADDRESS, () => address);
  return key === "" ? there : there.replace(KEY_WORDS, () => key);
}

/** Texts as they are written, so that another key can take the place of one. */
const written = new WeakMap<Text, string>();

/** Whether an example would be different for some reader. */
export const isPersonal = (text: string): boolean => text.includes(WRITTEN_ADDRESS) || text.search(KEY_WORDS) >= 0;

/** Writes address and key of the reader into all examples below `root`. */
export function personalize(root: ParentNode, reader: Reader): void {
  for (const code of root.querySelectorAll("code")) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node as Text;
      const source = written.get(text) ?? text.data;
      const next = personal(source, reader);
      if (next === source && !written.has(text)) continue;
      written.set(text, source);
      if (text.data !== next) text.data = next;
    }
  }
}
