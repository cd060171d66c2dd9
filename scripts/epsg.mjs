#!/usr/bin/env node
// Writes the definitions of EPSG codes that packages/raster loads when they are needed, from what scripts/epsg.py found:
//   node --conditions=@swath/source scripts/epsg.mjs proj.json
// A definition is written only where our transform is within 0.9 m of PROJ's at every point, there and back. The reason
// is written for the others. The points of the tests are written beside them.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { builtInDefinition } from "../packages/raster/src/crs/epsg.ts";
import { crsFromProj4, transformer } from "../packages/raster/src/index.ts";

/** Metres that our coordinates may differ by from PROJ's. */
const TOLERANCE = 0.9;
/** Metres, as EPSG states them, that a shift may be off by; above it differs within the area where the code is used. */
const LEAST_ACCURACY = 20;
const METRES_A_DEGREE = 111_320;
const UNITS = { m: 1, ft: 0.3048, "us-ft": 1200 / 3937, km: 1000, yd: 0.9144, link: 0.201168, ch: 20.1168 };
const DEGREES = crsFromProj4("+proj=longlat +datum=WGS84 +no_defs", 4326);

const [input] = process.argv.slice(2);
if (input === undefined) throw new Error("Expected the file that scripts/epsg.py printed.");
const found = JSON.parse(readFileSync(input, "utf8"));

function definitionOf({ proj4, shift }) {
  return `${proj4} +towgs84=${shift === "" ? "0,0,0" : shift} +no_defs`;
}

/** Greatest distance of our coordinates from PROJ's, metres, there and back; NaN where one is missing. */
function distance(definition, points) {
  const crs = crsFromProj4(definition);
  const there = transformer(DEGREES, crs);
  const back = transformer(crs, DEGREES);
  const unit = Number(/\+to_meter=(\S+)/.exec(definition)?.[1] ?? UNITS[/\+units=(\S+)/.exec(definition)?.[1] ?? "m"]);
  let greatest = points.length === 0 ? Number.NaN : 0;
  for (const [longitude, latitude, x, y] of points) {
    const scale = Math.cos((latitude * Math.PI) / 180);
    const onMap = there(longitude, latitude);
    const onEarth = back(x, y);
    const across = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;
    const turned = crs.geographic ? across(onMap[0] - x) : onMap[0] - x;
    const unitX = crs.geographic ? METRES_A_DEGREE * scale : unit;
    const unitY = crs.geographic ? METRES_A_DEGREE : unit;
    const distances = [
      Math.hypot(turned * unitX, (onMap[1] - y) * unitY),
      Math.hypot(across(onEarth[0] - longitude) * METRES_A_DEGREE * scale, (onEarth[1] - latitude) * METRES_A_DEGREE),
    ];
    for (const each of distances) if (!(each <= greatest)) greatest = each;
  }
  return greatest;
}

const accepted = [];
const refused = { grid: [], datum: [], projection: [] };
const report = {};
for (const line of found) {
  const note = (outcome) => {
    report[outcome] = (report[outcome] ?? 0) + 1;
  };
  const builtIn = builtInDefinition(line.code);
  if (builtIn !== undefined) {
    const off = line.points === undefined ? Number.NaN : distance(builtIn, line.points);
    if (!(off < TOLERANCE)) console.warn(`EPSG:${line.code} is built in, and ${off.toFixed(2)} m off.`);
    note("built in");
    continue;
  }
  let { reason } = line;
  if (reason === undefined && line.accuracy > LEAST_ACCURACY) reason = "datum";
  if (reason === undefined) {
    const definition = definitionOf(line);
    let off = Number.NaN;
    try {
      off = distance(definition, line.points);
    } catch (error) {
      if (error?.code !== "invalid-crs") throw error;
    }
    if (off <= TOLERANCE) {
      accepted.push({ code: line.code, definition });
      note("accepted");
      continue;
    }
    // where the projection alone is right it is the shift that differs within the area
    const isProjection = !(off < 3000);
    reason = isProjection ? "projection" : "datum";
    console.log(`EPSG:${line.code} ${line.name}: ${off.toFixed(1)} m off with ${definition}`);
  }
  refused[reason].push(line.code);
  note(`refused: ${reason}`);
}
console.log(report);

/** Definitions by what they share: ellipsoid, prime meridian, unit and shift. */
function toText() {
  const shared = new Map();
  for (const { code, definition } of accepted) {
    const words = definition.replace(" +no_defs", "").split(" ");
    const isShared = (word) => /^\+(?:a|b|rf|R|ellps|pm|units|to_meter|towgs84|vunits)=/.test(word);
    const key = words.filter(isShared).join(" ").replaceAll("+", "");
    const own = words
      .filter((word) => !isShared(word))
      .join(" ")
      .replaceAll("+", "")
      .replace("proj=", "");
    const group = shared.get(key) ?? [];
    shared.set(key, group);
    group.push({ code, own });
  }
  return [...shared]
    .map(([key, group]) => {
      let before = 0;
      const lines = group.map(({ code, own }) => {
        const line = `${code - before} ${own}`;
        before = code;
        return line;
      });
      return [key, ...lines].join(";");
    })
    .join("|");
}

/** Codes as differences, each to the one before. */
function differences(codes) {
  return codes.map((code, i) => code - (codes[i - 1] ?? 0)).join(" ");
}

const text = toText();
const module = `// Made by scripts/epsg.mjs with scripts/epsg.py from the database of PROJ 9.1.1, which holds the EPSG Geodetic
// Parameter Dataset v10.076 (https://epsg.org/terms-of-use.html): not edited by hand.

/** Groups parted by "|", each what its definitions share, then their codes, as differences, with the rest, parted by ";". */
export const DEFINITIONS: string =
  ${JSON.stringify(text)};

/** The reason why a code is refused. */
type Reason = "needs-grid-file" | "no-datum-shift" | "projection-not-supported";

/** Codes that are refused, as differences, by reason. */
export const REFUSED: Readonly<Record<Reason, string>> = {
  "needs-grid-file": ${JSON.stringify(differences(refused.grid))},
  "no-datum-shift": ${JSON.stringify(differences(refused.datum))},
  "projection-not-supported": ${JSON.stringify(differences(refused.projection))},
};
`;
writeFileSync(new URL("../packages/raster/src/crs/epsg-data.ts", import.meta.url), module);
console.log(
  `${accepted.length} definitions, ${text.length} bytes, ${gzipSync(module, { level: 9 }).length} compressed`,
);

/** Three points of each code for the tests, as far apart as they are; none of those refused. */
const points = Object.fromEntries(
  found
    .filter(({ kind }) => kind !== undefined)
    .map(({ code, kind, points: all = [] }) => {
      const some = [...new Set([all[0], all[all.length >> 1], all.at(-1)])].filter((point) => point !== undefined);
      const isRefused = Object.values(refused).some((codes) => codes.includes(code));
      return [code, [kind === "geographic" ? "g" : "p", ...(isRefused ? [] : some.flat())]];
    }),
);
const rows = Object.entries(points).map(([code, values]) => `"${code}":${JSON.stringify(values)}`);
writeFileSync(
  new URL("../packages/raster/test/fixtures/epsg-points.json", import.meta.url),
  `{\n${rows.join(",\n")}\n}\n`,
);
