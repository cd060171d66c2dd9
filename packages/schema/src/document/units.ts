import { UNIT_IDS, type Unit } from "../vocabulary.ts";

/** The meaning of a unit. */
export interface UnitSchema {
  readonly title: string;
  readonly description: string;
  /** Symbol as it is written after a number; empty for plain numbers. */
  readonly symbol: string;
}

/** Units of values, by id. */
export const units: Readonly<Record<Unit, UnitSchema>> = {
  REFLECTANCE: {
    title: "Reflectance",
    description: "Surface reflectance as a plain number, 1 for a perfect white; thermal bands are in kelvin.",
    symbol: "",
  },
  DN: { title: "Digital number", description: "The stored integer.", symbol: "" },
  KELVIN: { title: "Kelvin", description: "Temperature above absolute zero.", symbol: "K" },
  CELSIUS: { title: "Degree Celsius", description: "Kelvin minus 273.15.", symbol: "°C" },
  LINEAR_POWER: { title: "Linear power", description: "Radar backscatter as a plain ratio.", symbol: "" },
  DB: { title: "Decibel", description: "Ten times the decimal logarithm of linear power.", symbol: "dB" },
  METERS: { title: "Metre", description: "Length or height.", symbol: "m" },
  DEGREES: { title: "Degree", description: "Angle.", symbol: "°" },
  FRACTION: { title: "Fraction", description: "A part of one, from 0 to 1.", symbol: "" },
};

/** Whether `text` is a unit id. */
export function isUnit(text: string): text is Unit {
  return (UNIT_IDS as readonly string[]).includes(text);
}
