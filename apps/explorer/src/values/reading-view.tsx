import type { JSX } from "preact";
import { coordinates } from "../ui/format.ts";
import { ProblemCard } from "../ui/problem-card.tsx";
import { bandNamed } from "../view/bands.ts";
import { ndviOf, valueText } from "./headline.ts";
import type { Reading } from "./probe.ts";

import { Spectrum } from "./spectrum.tsx";

type Values = Extract<Reading, { kind: "values" }>;

function Index(reading: Values): JSX.Element | null {
  const { bands } = reading;
  const [nir, red] = [bandNamed({ bands }, "nir"), bandNamed({ bands }, "red")];
  if (nir === undefined || red === undefined) return null;
  return (
    <p class="figure">
      <span>NDVI</span>
      <strong data-value="ndvi">{ndviOf(reading)?.toFixed(3) ?? "none"}</strong>
    </p>
  );
}

function BandTable({ bands, values }: Values): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Band</th>
          <th scope="col">Name</th>
          <th scope="col" class="number">
            Value
          </th>
        </tr>
      </thead>
      <tbody>
        {bands.map((band, i) => (
          <tr key={band.name}>
            <th scope="row">{band.name}</th>
            <td>{band.common_name ?? ""}</td>
            <td class="number" data-value={band.name}>
              {valueText(values[i], band)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function PixelValues(reading: Values): JSX.Element {
  const { bands, values, scenes } = reading;
  if (values.every((value) => value === undefined)) return <p>No data at this point.</p>;
  return (
    <>
      <Index {...reading} />
      {bands.some(({ unit }) => unit === "REFLECTANCE") && <Spectrum bands={bands} values={values} />}
      <BandTable {...reading} />
      {scenes !== undefined && <p class="quiet">From {scenes}</p>}
    </>
  );
}

/** The values of a pixel, or why there are none. */
export function ReadingView({ reading }: { readonly reading: Reading }): JSX.Element {
  const [lon, lat] = reading.at;
  return (
    <>
      <p class="point">{coordinates(lon, lat)}</p>
      {reading.kind === "values" && <PixelValues {...reading} />}
      {reading.kind === "no scene" && <p>No scene covers this point in these dates.</p>}
      {reading.kind === "problem" && <ProblemCard problem={reading.problem} />}
    </>
  );
}
