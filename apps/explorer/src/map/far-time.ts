import type { Collection, Preset } from "../api/types.ts";
import { CUSTOM } from "../view/view.ts";

/** Tiles that lie over more scenes than a request may name days of: they are of a month, or of the preset's own window. */
export interface FarTime {
  /** The lowest zoom. */
  readonly minzoom: number;
  /** Tiles of this zoom and closer ones are of the days that are asked for. */
  readonly below: number;
  /** `YYYY-MM`; absent: the preset's own window. */
  readonly month?: string;
}

/**
 * The time of far tiles of a view whose days end on `to`.
 *
 * @returns undefined where the service has none
 */
export function farTime(to: string, preset: Preset, { id, "svc:zoom": zoom }: Collection): FarTime | undefined {
  const below = preset["svc:recipes"]?.[id]?.minzoom ?? preset.minzoom;
  if (zoom?.scenes === undefined || zoom.min >= below || preset.id === CUSTOM) return undefined;
  return { minzoom: zoom.min, below, ...(preset.defaultWindow === undefined ? {} : { month: to.slice(0, 7) }) };
}

/** A template of tiles whose far ones have another time, which {@link tileAddress} puts into their addresses. */
export function withFarTime(tiles: string, { below, month = "" }: Omit<FarTime, "minzoom">): string {
  return `${tiles}#{z},${below},${month}`;
}

/** The address of a tile, made of a template of {@link withFarTime} or of another one. */
export function tileAddress(url: string): string {
  const [address = "", far] = url.split("#");
  if (far === undefined) return address;
  const [z, below, month] = far.split(",");
  if (Number(z) >= Number(below)) return address;
  const moved = new URL(address);
  if (month) moved.searchParams.set("datetime", month);
  else moved.searchParams.delete("datetime");
  return moved.href;
}
