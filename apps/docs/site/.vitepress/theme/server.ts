/** Where the map page keeps the key of this tab; the documents of the same server read it there. */
const KEY = "swath-key";

declare const SWATH_IS_SERVED: boolean;
/** Whether a server of the service gives the pages, rather than a host of files; the build writes it in. */
export const isServed: boolean = SWATH_IS_SERVED;

/** The key of this tab; empty where there is none. */
export function readKey(): string {
  return sessionStorage.getItem(KEY) ?? "";
}

/** Keeps the key until the tab is closed; an empty one is forgotten. */
export function keepKey(key: string): void {
  if (key === "") sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, key);
}
