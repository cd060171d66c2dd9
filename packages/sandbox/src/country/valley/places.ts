import { FIRE_DATE, FLOOD_DATE } from "./weather.ts";

type Place = readonly [longitude: number, latitude: number];

/** Where and when there is something to see in the valley. */
export const VALLEY = {
  /** West, south, east, north in degrees: a box that all scenes of the valley cover. */
  bbox: [12.2216, 45.7282, 12.2847, 45.7723],
  /** First and last day of the two years of which every scene is there. */
  years: ["2022-01-01", "2023-12-31"],
  /** The day on which the hill forest burned: 9 August is clear before it, 19 August after it. */
  fire: FIRE_DATE,
  /** The day on which the river was highest: 6 May is clear before it, 16 May in it, 26 May after it. */
  flood: FLOOD_DATE,
  /** Longitude and latitude of points in the middle of what they are named after. */
  places: {
    /** Wheat in 2022, maize in 2023. */
    wheat: [12.2826, 45.7587],
    /** Maize in 2022, wheat in 2023. */
    maize: [12.252, 45.732],
    /** Barley in 2022, rape in 2023. */
    rape: [12.2474, 45.7494],
    lucerne: [12.2508, 45.7403],
    /** Under water in May 2023. */
    meadow: [12.2639, 45.7338],
    /** Broad-leaved, and never burned. */
    forest: [12.2273, 45.769],
    /** Burned in August 2022. */
    burned: [12.2336, 45.7634],
    lake: [12.2734, 45.7578],
    village: [12.2434, 45.7387],
  },
} as const satisfies {
  bbox: readonly [number, number, number, number];
  years: readonly [string, string];
  fire: string;
  flood: string;
  places: Readonly<Record<string, Place>>;
};
