/** The parts of a definition read by proj4 that are needed here: radians and metres. */
interface Definition {
  readonly a: number;
  /** Square of the eccentricity. */
  readonly es: number;
  readonly lat0: number;
  readonly long0: number;
  readonly x0?: number;
  readonly y0?: number;
  /** Height of the projection plane, metres, as text of the definition. */
  readonly h_0?: string | number;
}

interface Coordinates {
  x: number;
  y: number;
}

/** The constants of a definition, in the letters of the method's description. */
interface Constants {
  /** Radii of curvature at the origin: along the meridian, and along the prime vertical. */
  readonly rho0: number;
  readonly nu0: number;
  readonly b: number;
  readonly h0: number;
}

const constants = new WeakMap<object, Constants>();
/** Steps after which the latitude is right to 1e-12 radians: each makes the error a thousand times smaller. */
const STEPS = 8;

const meridianRadius = ({ a, es }: Definition, latitude: number): number =>
  (a * (1 - es)) / (1 - es * Math.sin(latitude) ** 2) ** 1.5;
const primeVerticalRadius = ({ a, es }: Definition, latitude: number): number =>
  a / Math.sqrt(1 - es * Math.sin(latitude) ** 2);

/**
 * Colombia Urban, EPSG method 1052 (IOGP Publication 373-7-2, section 3.2.7), as a projection for proj4, which has none of
 * that name: a plane at the height of a city. The inverse of that publication is an approximation; this one is of the
 * forward formula itself.
 */
export const colombiaUrban = {
  names: ["Colombia_Urban", "col_urban"],

  init(this: Definition): void {
    const rho0 = meridianRadius(this, this.lat0);
    const nu0 = primeVerticalRadius(this, this.lat0);
    constants.set(this, { rho0, nu0, b: Math.tan(this.lat0) / (2 * rho0 * nu0), h0: Number(this.h_0 ?? 0) });
  },

  forward(this: Definition, point: Coordinates): Coordinates {
    const { rho0, nu0, b, h0 } = constants.get(this) as Constants;
    const latitude = point.y;
    const across = primeVerticalRadius(this, latitude) * Math.cos(latitude) * (point.x - this.long0);
    const north = latitude - this.lat0 + b * across ** 2;
    const g = 1 + h0 / meridianRadius(this, (latitude + this.lat0) / 2);
    point.x = (this.x0 ?? 0) + (1 + h0 / nu0) * across;
    point.y = (this.y0 ?? 0) + g * rho0 * north;
    return point;
  },

  inverse(this: Definition, point: Coordinates): Coordinates {
    const { rho0, nu0, b, h0 } = constants.get(this) as Constants;
    const across = (point.x - (this.x0 ?? 0)) / (1 + h0 / nu0);
    const northing = (point.y - (this.y0 ?? 0)) / rho0;
    let latitude = this.lat0 + northing;
    for (let step = 0; step < STEPS; step++) {
      const g = 1 + h0 / meridianRadius(this, (latitude + this.lat0) / 2);
      latitude = this.lat0 + northing / g - b * across ** 2;
    }
    point.x = this.long0 + across / (primeVerticalRadius(this, latitude) * Math.cos(latitude));
    point.y = latitude;
    return point;
  },
};
