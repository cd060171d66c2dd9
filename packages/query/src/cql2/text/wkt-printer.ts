import type { Geometry, Position } from "@swath/geometry";

/** A geometry as WKT (OGC 06-103r4, 7), with Z where its positions have heights. */
export function formatWkt(geometry: Geometry): string {
  const type = geometry.type.toUpperCase();
  if (geometry.type === "GeometryCollection") return `${type}(${geometry.geometries.map(formatWkt).join(", ")})`;
  return `${type}${hasHeights(geometry.coordinates) ? " Z " : ""}${bodyOf(geometry)}`;
}

/** The shortest decimal that is read as the same number. */
export function formatNumber(value: number): string {
  if (Object.is(value, -0)) return "-0";
  const text = String(value);
  // only powers of ten have a letter
  return text.includes("e") ? text.toUpperCase() : text;
}

function bodyOf(geometry: Exclude<Geometry, { type: "GeometryCollection" }>): string {
  switch (geometry.type) {
    case "Point":
      return `(${positionOf(geometry.coordinates)})`;
    case "MultiPoint":
      return list(geometry.coordinates, (position) => `(${positionOf(position)})`);
    case "LineString":
      return list(geometry.coordinates, positionOf);
    case "Polygon":
    case "MultiLineString":
      return list(geometry.coordinates, lineOf);
    case "MultiPolygon":
      return list(geometry.coordinates, (rings) => list(rings, lineOf));
  }
}

function lineOf(positions: readonly Position[]): string {
  return list(positions, positionOf);
}

function positionOf(position: Position): string {
  return position.map(formatNumber).join(" ");
}

function list<T>(entries: readonly T[], format: (entry: T) => string): string {
  return `(${entries.map(format).join(", ")})`;
}

function hasHeights(coordinates: unknown): boolean {
  if (!Array.isArray(coordinates)) return false;
  return typeof coordinates[0] === "number" ? coordinates.length > 2 : coordinates.some(hasHeights);
}
