import { ApiError } from "./api-error.ts";
import type { Memory } from "./person.ts";

/** Hosts of one's own machine, which need no TLS. */
const LOCAL = ["localhost", "127.0.0.1"];

/** Does the service run on the machine of whoever looks at the page? */
export const isOnThisMachine = ({ hostname }: URL): boolean => LOCAL.includes(hostname);

const isSafe = (url: URL): boolean => url.protocol === "https:" || (url.protocol === "http:" && isOnThisMachine(url));

/**
 * Reads the address of a service that someone gave.
 *
 * @returns it with a slash at its end
 * @throws {ApiError} where it is none
 */
export function readServiceAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (!isPlain || !isSafe(url)) {
    throw new ApiError({
      title: "This is no address of a service",
      detail: `“${text}” is not taken: an address such as https://maps.example/ is expected, or http://localhost:8080/ of your own machine.`,
    });
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/**
 * The service that the page shows: the one that serves it. A page of the static build shows that of `?api=`, else the one that
 * the build was given.
 *
 * @param page address of the page
 * @param given what the static build was given, the empty text where nothing; absent: a service serves the page, and no address is read
 * @throws {ApiError} where a static page has no address of a service
 */
export function serviceAddress(page: string, given: string | undefined): URL {
  if (given === undefined) return new URL("/", page);
  const text = new URL(page).searchParams.get("api") ?? given;
  if (text !== "") return readServiceAddress(text);
  throw new ApiError({
    title: "Which service?",
    detail: "This page shows the service that its address names: add ?api=https://maps.example/ to it.",
  });
}

/** Whether a service is the one of the page's own origin. */
export const isOwn = (service: URL): boolean => service.href === new URL("/", location.href).href;

/** The address of a page of the service, such as `account`: a path where the service is the page's own. */
export function pageOf(service: URL, name: string): string {
  return isOwn(service) ? `/${name}` : new URL(name, service).href;
}

/** Host and path of a service, for readers. */
export const placeOf = ({ host, pathname }: URL): string => `${host}${pathname === "/" ? "" : pathname}`;

/**
 * The storage of this tab for one service: its keys and tokens are found under its address alone. The one of the page's own origin
 * has the names that its account page knows.
 */
export function memoryOf(service: URL): Memory {
  if (isOwn(service)) return sessionStorage;
  const named = (name: string): string => `${name} ${service.href}`;
  return {
    getItem: (name) => sessionStorage.getItem(named(name)),
    setItem: (name, value) => sessionStorage.setItem(named(name), value),
    removeItem: (name) => sessionStorage.removeItem(named(name)),
  };
}
