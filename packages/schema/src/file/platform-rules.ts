import * as z from "zod";
import { Pattern } from "./patterns.ts";

const name = z.string().min(1);
const angle = z.number().min(0).lt(360);

/** One satellite of an orbit that several share. */
const OrbitPlatform = z.strictObject({
  platform: name,
  phase: angle.meta({
    description: "Degrees that the satellite had flown since the equator, northward, at the start of 1970.",
  }),
  from: z.iso.datetime().optional().meta({ description: "First instant at which it held this place; default: ever." }),
  to: z.iso.datetime().optional().meta({ description: "Instant from which on it did not; default: never." }),
});

/**
 * A rule that tells which of several satellites in one orbit made a scene, by its place in the orbit: satellites of one
 * product are half an orbit apart. The place follows from the time of the scene and its latitude on the descending half
 * of the orbit.
 */
export const OrbitRule = z.strictObject({
  pattern: Pattern.meta({ description: "Ids of items that the rule is for." }),
  inclination: z.number().gt(90).lt(180).meta({ description: "Degrees." }),
  orbits: z.int().positive().meta({ description: "Orbits in `days` days of 86,400 seconds." }),
  days: z.int().positive(),
  tolerance: z.number().positive().max(90).meta({
    description:
      "Degrees by which a scene may be away from the place of its satellite; else the platform stays unknown.",
  }),
  platforms: z.array(OrbitPlatform).min(1),
});
export type OrbitRule = z.infer<typeof OrbitRule>;

/** Instruments of items that do not say them. */
export const InstrumentRule = z.strictObject({
  pattern: Pattern.meta({ description: "Ids of items that the rule is for." }),
  instruments: z.array(name).min(1),
});
export type InstrumentRule = z.infer<typeof InstrumentRule>;
