import { readKey } from "../server.ts";
import { EDGE, MIDDLE, TILES, ZOOM } from "./place.ts";

/** Where the account page keeps a session of this tab, and the map page a guest token. */
const SESSION = "swath-session";
const GUEST = "swath-guest";
/** A guest token that ends sooner is not used. */
const EARLY_MS = 60_000;

interface GuestToken {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expires: number;
  readonly isSpent: boolean;
}

/** A tile that is there: its address in this page, and its place in CSS pixels from the middle of the image. */
export interface Tile {
  readonly src: string;
  readonly left: number;
  readonly top: number;
}

/** Tiles of one day. */
export interface Images {
  readonly trueColor: readonly Tile[];
  readonly ndvi: readonly Tile[];
}

async function answerOf(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(path, init);
  // while nobody reads an answer, Chromium keeps the next request for the same address waiting
  if (!response.ok) await response.body?.cancel();
  return response;
}

async function load(path: string, init?: RequestInit): Promise<Response> {
  const response = await answerOf(path, init);
  if (!response.ok) throw new Error(`${path} was answered by ${response.status}.`);
  return response;
}

/** Returns the guest token that this tab has; undefined where it ends soon or its units are spent. */
function keptGuestToken(): string | undefined {
  const { token, expires = 0, isSpent } = JSON.parse(sessionStorage.getItem(GUEST) ?? "{}") as Partial<GuestToken>;
  return isSpent === true || expires < Date.now() + EARLY_MS ? undefined : token;
}

/** Returns headers of the reader's key or session; undefined where there is neither. */
function ownHeaders(): Record<string, string> | undefined {
  const key = readKey();
  if (key !== "") return { "X-API-Key": key };
  const session = sessionStorage.getItem(SESSION);
  return session === null ? undefined : { Authorization: `Bearer ${session}` };
}

let asking: Promise<void> | undefined;
/** Asks for a guest token, once for all tiles that wait for it, and keeps it where the map page finds it. */
function askForGuestToken(): Promise<void> {
  asking ??= (async () => {
    const response = await load("/v1/guest", { method: "POST" });
    const { accessToken, expiresIn } = (await response.json()) as { accessToken: string; expiresIn: number };
    const token: GuestToken = { token: accessToken, expires: Date.now() + expiresIn * 1000, isSpent: false };
    sessionStorage.setItem(GUEST, JSON.stringify(token));
  })().finally(() => {
    asking = undefined;
  });
  return asking;
}

/**
 * Loads a tile with what this tab has. Everybody may see images that are finished, and an address gets few guest tokens in an
 * hour: one is asked for where the tile is not finished.
 */
async function loadTile(path: string): Promise<Response> {
  const own = ownHeaders();
  const guest = keptGuestToken();
  const headers = own ?? (guest === undefined ? {} : { Authorization: `Bearer ${guest}` });
  const response = await answerOf(path, { headers });
  if (response.ok) return response;
  if (response.status !== 401 || own !== undefined) throw new Error(`${path} was answered by ${response.status}.`);
  await askForGuestToken();
  return load(path, { headers: { Authorization: `Bearer ${keptGuestToken()}` } });
}

/** Loads a tile and waits until it can be drawn at once. */
async function tileOf(preset: string, { x, y }: (typeof TILES)[number], date: string): Promise<Tile> {
  const path = `/v1/tiles/${preset}/WebMercatorQuad/${ZOOM}/${x}/${y}@2x.webp?datetime=${date}`;
  const image = new Image();
  image.src = URL.createObjectURL(await (await loadTile(path)).blob());
  await image.decode();
  return { src: image.src, left: (x - MIDDLE.x) * EDGE, top: (y - MIDDLE.y) * EDGE };
}

/** Images that were loaded, for as long as the site is open. */
const loaded = new Map<string, Images>();

/** @throws {Error} where the server has another archive than the invented country, or does not show all tiles of the day. */
export async function imagesOf(date: string): Promise<Images> {
  const known = loaded.get(date);
  if (known !== undefined) return known;
  const landing = (await (await load("/v1")).json()) as { readonly "svc:synthetic"?: boolean };
  if (landing["svc:synthetic"] !== true) throw new Error("The archive of this server is not the invented country.");
  const [left, right] = TILES;
  // the first one finds out whether a guest token is needed
  const first = await tileOf("true-color", left, date);
  const [second, ...ndvi] = await Promise.all([
    tileOf("true-color", right, date),
    tileOf("ndvi", left, date),
    tileOf("ndvi", right, date),
  ]);
  const images: Images = { trueColor: [first, second], ndvi };
  loaded.set(date, images);
  return images;
}
