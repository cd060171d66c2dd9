import { bboxGeometry, footprintShape, type Geometry, type Shape, shapesRelate, toShape } from "@swath/geometry";
import type { Operand, SpatialOperator } from "../filter.ts";
import { isObject } from "../input-location.ts";
import { propertyOf, type SearchItem } from "../item.ts";
import type { Truth } from "./truth.ts";

/** Whether two operands are in a spatial relation; unknown where the item has no such geometry. */
export function operandsRelate(operator: SpatialOperator, left: Operand, right: Operand, item: SearchItem): Truth {
  const [a, b] = [shapeOf(left, item), shapeOf(right, item)];
  if (a === undefined || b === undefined) return undefined;
  return shapesRelate(operator, a, b);
}

/** Whether an item's geometry shares a point with another one; unknown where it has none. */
export function itemIntersects(geometry: Geometry, item: SearchItem): Truth {
  return operandsRelate("intersects", { property: "geometry" }, { geometry }, item);
}

/** Shapes of filters' geometries, which are compared with many items. */
const shapes = new WeakMap<object, Shape>();

function shapeOf(operand: Operand, item: SearchItem): Shape | undefined {
  if ("property" in operand) {
    const geometry = propertyOf(item, operand.property);
    return isGeometry(geometry) ? footprintOf(geometry) : undefined;
  }
  if ("geometry" in operand) return keptShape(operand.geometry, () => operand.geometry);
  return "bbox" in operand ? keptShape(operand.bbox, () => boxOf(operand.bbox)) : undefined;
}

/** The footprint that was asked for last: a filter may compare that of one item thousands of times. */
let last: { readonly geometry: Geometry; readonly shape: Shape } | undefined;

function footprintOf(geometry: Geometry): Shape {
  if (last?.geometry !== geometry) last = { geometry, shape: footprintShape(geometry) };
  return last.shape;
}

function keptShape(key: object, geometryOf: () => Geometry): Shape {
  const known = shapes.get(key);
  if (known !== undefined) return known;
  const shape = toShape(geometryOf());
  shapes.set(key, shape);
  return shape;
}

/** The box as a polygon; heights play no part. */
function boxOf(numbers: readonly number[]): Geometry {
  const corners = numbers.length === 6 ? [0, 1, 3, 4] : [0, 1, 2, 3];
  const [west = 0, south = 0, east = 0, north = 0] = corners.map((i) => numbers[i]);
  return bboxGeometry([west, south, east, north]);
}

function isGeometry(value: unknown): value is Geometry {
  return isObject(value) && (Array.isArray(value.coordinates) || Array.isArray(value.geometries));
}
