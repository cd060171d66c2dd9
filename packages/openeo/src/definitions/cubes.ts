import { RESAMPLE_METHODS } from "../expression/expression.ts";
import { PERIODS } from "../processes/time/periods.ts";
import {
  ARRAY,
  DATA,
  DIMENSION,
  GEOJSON,
  INTERVAL,
  LABELS,
  NO_DIMENSION,
  OPTIONAL_TEXT,
  REDUCER,
  RETURNS,
} from "./cube-schemas.ts";
import { ANY, CONTEXT, CUBE, callback, define, type ProcessDefinition, parameter } from "./definition.ts";

/** Definitions of processes that compute, aggregate, merge and resample cubes. */
export const CUBE_DEFINITIONS: readonly ProcessDefinition[] = [
  define(
    "ndvi",
    ["cubes", "vegetation indices"],
    "Normalized difference vegetation index",
    "Computes `(nir - red) / (nir + red)` of each pixel. The dimension of bands is dropped, unless `target_band` names a band to add.",
    [
      DATA,
      parameter(
        "nir",
        "Name or common name of the near infrared band; `nir` is nir08 where there is no other.",
        { type: "string", subtype: "band-name" },
        { default: "nir" },
      ),
      parameter(
        "red",
        "Name or common name of the red band.",
        { type: "string", subtype: "band-name" },
        { default: "red" },
      ),
      parameter("target_band", "A band to add.", [{ type: "string", pattern: "^\\w+$" }, { type: "null" }], {
        default: null,
      }),
    ],
    RETURNS("The index."),
    {
      NirBandAmbiguous: "There is no such near infrared band.",
      RedBandAmbiguous: "There is no such red band.",
      DimensionAmbiguous: "There is no dimension of bands, or several.",
      BandExists: "There is a band of that name.",
    },
  ),
  define(
    "apply",
    ["cubes"],
    "Apply a process to each pixel",
    "Computes a new value of each value.",
    [
      DATA,
      parameter(
        "process",
        "A process graph that gives a number for a number.",
        callback([["x", "The value.", ANY]], ANY),
      ),
      CONTEXT,
    ],
    RETURNS("The cube with new values."),
  ),
  define(
    "apply_dimension",
    ["cubes"],
    "Apply a process along a dimension",
    "Computes new values of all values along t, bands or an added dimension. Where as many come out, labels stay; else they are numbers from 0.",
    [
      DATA,
      parameter(
        "process",
        "A process graph that gives an array for an array.",
        callback([["data", "The values.", ARRAY]], { type: "array", items: ANY }),
      ),
      DIMENSION("The dimension."),
      parameter("target_dimension", "A dimension for the results, which replaces the other.", OPTIONAL_TEXT, {
        default: null,
      }),
      CONTEXT,
    ],
    RETURNS("The cube with new values."),
    NO_DIMENSION,
  ),
  define(
    "reduce_dimension",
    ["cubes", "reducer"],
    "Reduce a dimension",
    "Computes one value of all values along t, bands or an added dimension, which is dropped.",
    [DATA, REDUCER, DIMENSION("The dimension."), CONTEXT],
    RETURNS("The cube without the dimension."),
    NO_DIMENSION,
  ),
  define(
    "aggregate_temporal",
    ["cubes", "aggregate"],
    "Aggregate by intervals of time",
    "Computes one value for each interval, from its start up to and without its end.",
    [
      DATA,
      parameter("intervals", "Intervals, which may overlap.", {
        type: "array",
        subtype: "temporal-intervals",
        minItems: 1,
        items: INTERVAL,
      }),
      REDUCER,
      parameter("labels", "Labels of the intervals; default: their starts.", LABELS, { default: [] }),
      DIMENSION("The temporal dimension; default: the only one.", { default: null }),
      CONTEXT,
    ],
    RETURNS("The cube with one label an interval."),
    {
      TooManyDimensions: "There are several temporal dimensions.",
      DistinctDimensionLabelsRequired: "Labels are the same.",
      ...NO_DIMENSION,
    },
  ),
  define(
    "aggregate_temporal_period",
    ["cubes", "aggregate", "climatology"],
    "Aggregate by calendar periods",
    "Computes one value for each period between the first time step and the last, UTC.",
    [
      DATA,
      parameter("period", "The length of periods.", { type: "string", enum: PERIODS }),
      REDUCER,
      DIMENSION("The temporal dimension; default: the only one.", { default: null }),
      CONTEXT,
    ],
    RETURNS("The cube with one label a period, such as 2024-07 for month."),
    { TooManyDimensions: "There are several temporal dimensions.", ...NO_DIMENSION },
  ),
  define(
    "aggregate_spatial",
    ["cubes", "aggregate"],
    "Aggregate by geometries",
    "Computes one value of the pixels whose centres are in a polygon (where there is none, of the pixel around its inner point), that a line passes through, or that points are in. Unless the cube was resampled, each geometry is read on its own pixels.",
    [
      DATA,
      parameter(
        "geometries",
        "Any geometries but a GeometryCollection; a number each for those of a FeatureCollection.",
        GEOJSON,
      ),
      parameter(
        "reducer",
        "mean, median, min, max, sum, count, sd, variance or quantiles of the pixels, and what is computed of them.",
        callback([["data", "The values.", ARRAY]], ANY),
      ),
      parameter(
        "target_dimension",
        "A dimension to add, with the labels `value`, `total_count` (of pixels) and `valid_count` (of those with a value).",
        OPTIONAL_TEXT,
        { default: null },
      ),
      CONTEXT,
    ],
    RETURNS("A cube with a dimension of geometries instead of x and y."),
    { TargetDimensionExists: "There is a dimension of the name of `target_dimension`." },
  ),
  define(
    "merge_cubes",
    ["cubes"],
    "Merge two cubes",
    "The labels of both in one cube, on the pixels of the first. One dimension may have different labels; where both have a value, `overlap_resolver` decides.",
    [
      parameter("cube1", "The first cube.", CUBE),
      parameter(
        "cube2",
        "The second cube, with the same extent; it is brought to the pixels of the first by nearest neighbour.",
        CUBE,
      ),
      parameter(
        "overlap_resolver",
        "A process graph that gives one number for two.",
        [
          callback(
            [
              ["x", "The value of the first.", ANY],
              ["y", "The value of the second.", ANY],
            ],
            ANY,
          ),
          { type: "null" },
        ],
        { default: null },
      ),
      CONTEXT,
    ],
    RETURNS("The merged cube."),
    {
      OverlapResolverMissing: "Both cubes have values for the same labels.",
      IncompatibleDataCubes: "The cubes have different dimensions or extents.",
    },
  ),
  define(
    "resample_spatial",
    ["cubes", "aggregate & resample"],
    "Resample to other pixels",
    "Brings the cube to pixels of a resolution and CRS, from a corner of its extent. By nearest neighbour files are read on the new pixels; other methods take what is computed on the cube's own ones, as gdalwarp does.",
    [
      DATA,
      parameter(
        "resolution",
        "Pixel width and height in units of the CRS; 0: as it is.",
        [
          { type: "number", minimum: 0 },
          { type: "array", minItems: 2, maxItems: 2, items: { type: "number", minimum: 0 } },
        ],
        { default: 0 },
      ),
      parameter(
        "projection",
        "EPSG code: 4326, 3857, 32601-32660 or 32701-32760; default: as it is.",
        [{ type: "integer", subtype: "epsg-code" }, { type: "null" }],
        { default: null },
      ),
      parameter(
        "method",
        "How values are taken, by the names of gdalwarp. `sum` is for pixels of one CRS.",
        { type: "string", enum: RESAMPLE_METHODS },
        { default: "near" },
      ),
      parameter(
        "align",
        "The corner that pixels begin at.",
        { type: "string", enum: ["upper-left", "lower-left", "lower-right", "upper-right"] },
        { default: "upper-left" },
      ),
    ],
    RETURNS("The cube on other pixels."),
  ),
];
