import type { JSX } from "preact";
import type { Band } from "../api/types.ts";

const WIDTH = 320;
const HEIGHT = 120;
const LEFT = 30;
const BOTTOM = 20;
/** Micrometres shown. */
const FIRST = 0.4;
const LAST = 2.4;

interface SpectrumProps {
  readonly bands: readonly Band[];
  /** Values in the order of the bands; undefined: no data. */
  readonly values: readonly (number | undefined)[];
}

interface SpectrumPoint {
  readonly name: string;
  readonly wavelength: number;
  readonly value: number;
}

function pointsOf({ bands, values }: SpectrumProps): SpectrumPoint[] {
  return bands
    .flatMap(({ name, center_wavelength: wavelength, unit }, i) => {
      const value = values[i];
      return value === undefined || wavelength === undefined || unit !== "REFLECTANCE"
        ? []
        : [{ name, wavelength, value }];
    })
    .sort((a, b) => a.wavelength - b.wavelength);
}

/** Reflectance of one pixel over wavelength. */
export function Spectrum(props: SpectrumProps): JSX.Element {
  const points = pointsOf(props);
  const top = Math.max(0.3, ...points.map(({ value }) => Math.ceil(value * 10) / 10));
  const x = (wavelength: number): number => LEFT + ((wavelength - FIRST) / (LAST - FIRST)) * (WIDTH - LEFT - 8);
  const y = (value: number): number => 8 + (1 - Math.max(0, value) / top) * (HEIGHT - BOTTOM - 8);
  const text = points.map(({ name, value }) => `${name} ${value.toFixed(3)}`).join(", ");
  return (
    <svg
      class="spectrum"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Reflectance by wavelength: ${text}`}
    >
      {[0, top / 2, top].map((value) => (
        <g key={value}>
          <line class="grid" x1={LEFT} x2={WIDTH - 8} y1={y(value)} y2={y(value)} />
          <text x={LEFT - 5} y={y(value) + 4} text-anchor="end">
            {value.toFixed(2)}
          </text>
        </g>
      ))}
      {[0.5, 1, 1.5, 2].map((micrometres) => (
        <text key={micrometres} x={x(micrometres)} y={HEIGHT - 4} text-anchor="middle">
          {micrometres} µm
        </text>
      ))}
      <polyline points={points.map(({ wavelength, value }) => `${x(wavelength)},${y(value)}`).join(" ")} />
      {points.map(({ name, wavelength, value }) => (
        <circle key={name} cx={x(wavelength)} cy={y(value)} r={3} />
      ))}
    </svg>
  );
}
