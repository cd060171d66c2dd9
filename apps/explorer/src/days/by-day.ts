import { platformName } from "../ui/format.ts";

/** The scenes of a day. */
export interface DayScenes {
  readonly day: string;
  readonly scenes: number;
  /** Mean cloud cover of the day's scenes, percent; absent where none says it. */
  readonly cloud?: number;
  /** Platforms that have scenes on the day, in the order of their names. */
  readonly platforms: readonly string[];
}

interface SceneOfDay {
  readonly properties: {
    readonly datetime: string;
    readonly platform?: string | undefined;
    readonly "eo:cloud_cover"?: number | undefined;
  };
}

/** Scenes by the day that they were taken, UTC. */
export function byDay(scenes: readonly SceneOfDay[]): ReadonlyMap<string, DayScenes> {
  const days = new Map<string, SceneOfDay[]>();
  for (const scene of scenes) {
    const day = scene.properties.datetime.slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), scene]);
  }
  return new Map([...days].map(([day, own]) => [day, summary(day, own)]));
}

function summary(day: string, scenes: readonly SceneOfDay[]): DayScenes {
  const clouds = scenes.flatMap(({ properties }) => properties["eo:cloud_cover"] ?? []);
  const platforms = new Set(scenes.flatMap(({ properties }) => properties.platform ?? []));
  return {
    day,
    scenes: scenes.length,
    ...(clouds.length === 0 ? {} : { cloud: clouds.reduce((sum, cloud) => sum + cloud, 0) / clouds.length }),
    platforms: [...platforms].sort(),
  };
}

const dayName = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });

/** Describes the scenes of a day. */
export function dayText(day: string, scenes: DayScenes | undefined): string {
  if (scenes === undefined) return `${dayName(day)}: no scenes`;
  const count = `${scenes.scenes} ${scenes.scenes === 1 ? "scene" : "scenes"}`;
  const cloud = scenes.cloud === undefined ? "" : `, ${Math.round(scenes.cloud)} % cloud`;
  const platforms = scenes.platforms.map(platformName).join(", ");
  return `${dayName(day)}: ${count}${cloud}${platforms === "" ? "" : `, ${platforms}`}`;
}
