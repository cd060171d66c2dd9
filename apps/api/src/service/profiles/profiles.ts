import type { Services } from "../../operations/services.ts";
import { fullProfile } from "./full.ts";
import { leanProfile } from "./lean.ts";
import type { Profile } from "./profile.ts";

/** Profiles by the value of `SWATH_PROFILE`. Which collections and presets each serves: `served-files.ts`. */
export const PROFILES: Readonly<Record<"full" | "lean", (services: Services) => Profile>> = {
  full: fullProfile,
  lean: leanProfile,
};
