import type { Area, Point } from "../geometry/area.ts";
import { type AnalysisView, analysisFields, parseAnalysis } from "./analysis-view.ts";
import { type CompareView, compareFields, isDay, parseCompare } from "./compare-view.ts";

/** The bands of the preset `custom`: an expression or bands of the user's own. */
export interface Custom {
  /** Band math on physical values; one expression, or three divided by semicolons. */
  readonly expression?: string | undefined;
  /** One band or three, divided by commas. */
  readonly bands?: string | undefined;
  /** Lowest and highest value that is shown; absent: the service's choice. */
  readonly rescale?: string | undefined;
  readonly colormap?: string | undefined;
}

/** Id of the preset whose bands or expression are the user's own. */
export const CUSTOM = "custom";

export interface MapView {
  readonly zoom: number;
  readonly lat: number;
  readonly lon: number;
}

/** Names of the tabs of the panel, in their order; `src/tools.ts` says what each one shows. */
export const TABS = ["scenes", "values", "analysis", "download"] as const;
export type Tab = (typeof TABS)[number];

/** Names of the cards that open over the map, in the order of their buttons; `src/tools.ts` says what each one shows. */
export const CARDS = ["search", "layers", "calendar", "compare", "timeline", "measure", "share"] as const;
export type Card = (typeof CARDS)[number];

/** Tabs and cards that clicks on the map belong to while they are shown; with others, clicks choose scenes. */
export const CLICK_TOOLS: ReadonlySet<Tab | Card> = new Set<Tab | Card>(["values", "analysis", "download", "measure"]);

/** All that makes a view. It is what the address bar holds after `#`, so that a view can be sent to someone. */
export interface ViewState extends AnalysisView, CompareView {
  readonly preset: string;
  readonly collection: string;
  /** Bands or the expression of the preset `custom`; absent with others. */
  readonly custom?: Custom | undefined;
  /** First and last day, `YYYY-MM-DD`, UTC. */
  readonly from: string;
  readonly to: string;
  /** Ceiling of scene cloud cover in percent; 100: any. */
  readonly cloud: number;
  /** The scene shown alone; absent: the mosaic. */
  readonly scene?: string | undefined;
  readonly tab: Tab;
  /** The card that is open over the map. */
  readonly card?: Card | undefined;
  /** Opacity of the imagery in percent; 100: opaque. */
  readonly opacity: number;
  /** Whether a relief is shown below the imagery; absent: it is not. */
  readonly relief?: boolean | undefined;
  /** Whether borders and names are shown; absent: where the country is a real one. */
  readonly names?: boolean | undefined;
  readonly map?: MapView | undefined;
  readonly area?: Area | undefined;
}

const round = (value: number, digits: number): string => String(Number(value.toFixed(digits)));
const degrees = (value: number): string => round(value, 5);

const CUSTOM_FIELDS = ["expression", "bands", "rescale", "colormap"] as const;
/** Characters of a custom image's field; the service reads what it means. */
const CUSTOM_TEXT = /^[\w\s()+*/.,;<>=&|!?:^-]{1,600}$/;

const switchText = (isOn: boolean | undefined): string | undefined =>
  isOn === undefined ? undefined : isOn ? "on" : "off";
const SWITCHES: Readonly<Record<string, boolean>> = { on: true, off: false };

/** The part of an address after `#`, without the `#`. */
export function formatState(state: ViewState): string {
  const { map, area } = state;
  const fields: [string, string | undefined][] = [
    ["preset", state.preset],
    ["collection", state.collection],
    ...CUSTOM_FIELDS.map((name): [string, string | undefined] => [name, state.custom?.[name]]),
    ["dates", `${state.from}/${state.to}`],
    ["cloud", state.cloud === 100 ? undefined : String(state.cloud)],
    ["scene", state.scene],
    ["tab", state.tab === "scenes" ? undefined : state.tab],
    ["card", state.card],
    ["opacity", state.opacity === 100 ? undefined : String(state.opacity)],
    ["relief", switchText(state.relief)],
    ["names", switchText(state.names)],
    ["map", map && `${round(map.zoom, 2)}/${degrees(map.lat)}/${degrees(map.lon)}`],
    ["box", area?.kind === "box" ? area.bbox.map(degrees).join(",") : undefined],
    [
      "polygon",
      area?.kind === "polygon" ? area.corners.map((corner) => corner.map(degrees).join(",")).join(";") : undefined,
    ],
    ...compareFields(state),
    ...analysisFields(state),
  ];
  return fields
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => `${name}=${encodeURIComponent(value as string).replace(/%(2F|2C|3B)/g, decodeURIComponent)}`,
    )
    .join("&");
}

const ID = /^[A-Za-z0-9_.-]{1,128}$/;
const onEarth = ([lon, lat]: readonly number[]): boolean =>
  lon !== undefined && lat !== undefined && Math.abs(lon) <= 180 && Math.abs(lat) <= 90;

function numbers(text: string | null, separator: RegExp, count: number): number[] | undefined {
  const parts = text?.split(separator) ?? [];
  const values = parts.map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  return values.length === count && values.every(Number.isFinite) ? values : undefined;
}

function parseArea(fields: URLSearchParams): Area | undefined {
  const box = numbers(fields.get("box"), /,/, 4) as [number, number, number, number] | undefined;
  if (box !== undefined) {
    const isBox = onEarth(box) && onEarth(box.slice(2)) && box[0] < box[2] && box[1] < box[3];
    return isBox ? { kind: "box", bbox: box } : undefined;
  }
  const corners = fields
    .get("polygon")
    ?.split(";")
    .map((text) => numbers(text, /,/, 2));
  if (corners === undefined || corners.length < 3) return undefined;
  return corners.every((corner) => corner !== undefined && onEarth(corner))
    ? { kind: "polygon", corners: corners as unknown as Point[] }
    : undefined;
}

function parseCustom(fields: URLSearchParams): Custom | undefined {
  const found = CUSTOM_FIELDS.flatMap((name) => {
    const text = fields.get(name);
    return text !== null && CUSTOM_TEXT.test(text) ? [[name, text] as const] : [];
  });
  const custom: Custom = Object.fromEntries(found);
  return custom.expression === undefined && custom.bands === undefined ? undefined : custom;
}

/** Reads what {@link formatState} wrote, possibly edited by hand: unusable members are ignored. */
export function parseState(hash: string): Partial<ViewState> {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const id = (name: string): string | undefined => {
    const text = fields.get(name);
    return text !== null && ID.test(text) ? text : undefined;
  };
  const [from, to] = fields.get("dates")?.split("/") ?? [];
  const cloud = numbers(fields.get("cloud"), /,/, 1)?.[0];
  const opacity = numbers(fields.get("opacity"), /,/, 1)?.[0];
  const map = numbers(fields.get("map"), /\//, 3) as [number, number, number] | undefined;
  const tab = TABS.find((name) => name === fields.get("tab"));
  const card = CARDS.find((name) => name === fields.get("card"));
  const area = parseArea(fields);
  const [relief, names] = ["relief", "names"].map((name) => SWITCHES[fields.get(name) ?? ""]);
  const custom = parseCustom(fields);
  const [preset, collection, scene] = [id("preset"), id("collection"), id("scene")];
  return {
    // the preset `custom` is nothing without what it draws
    ...(preset === undefined || (preset === CUSTOM && custom === undefined) ? {} : { preset }),
    ...(preset === CUSTOM && custom !== undefined ? { custom } : {}),
    ...(collection === undefined ? {} : { collection }),
    ...(isDay(from) && isDay(to) && from <= to ? { from, to } : {}),
    ...(cloud === undefined || cloud < 0 || cloud > 100 ? {} : { cloud }),
    ...(scene === undefined ? {} : { scene }),
    ...(tab === undefined ? {} : { tab }),
    ...(card === undefined ? {} : { card }),
    ...(opacity === undefined || opacity < 0 || opacity > 100 ? {} : { opacity }),
    ...(relief === undefined ? {} : { relief }),
    ...(names === undefined ? {} : { names }),
    ...(map === undefined || !onEarth([map[2], map[1]]) || map[0] < 0 || map[0] > 22
      ? {}
      : { map: { zoom: map[0], lat: map[1], lon: map[2] } }),
    ...(area === undefined ? {} : { area }),
    ...parseCompare(fields),
    ...parseAnalysis(fields),
  };
}
