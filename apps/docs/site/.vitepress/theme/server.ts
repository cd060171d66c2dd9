/** The address that written examples name. */
export const WRITTEN_ADDRESS = "http://127.0.0.1:8080";
/** Where the map page keeps the key of this tab; the documents of the same server read it there. */
const KEY = "swath-key";

/** Whether a server of the service gave this page, rather than a host of files. */
export function isServed(): boolean {
  return document.querySelector('meta[name="swath-served"]') !== null;
}

/** The key of this tab; empty where there is none. */
export function readKey(): string {
  return sessionStorage.getItem(KEY) ?? "";
}

/** Keeps the key until the tab is closed; an empty one is forgotten. */
export function keepKey(key: string): void {
  if (key === "") sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, key);
}
