import { BOX, DATA, DIMENSION, GEOJSON, INTERVAL, NO_DIMENSION, RETURNS } from "./cube-schemas.ts";
import { ANY, CUBE, define, type ProcessDefinition, parameter } from "./definition.ts";

/** Definitions of processes that load cubes, filter them and mask them. */
export const LOAD_DEFINITIONS: readonly ProcessDefinition[] = [
  define(
    "load_collection",
    ["cubes", "import"],
    "Load a collection",
    "A cube with the dimensions x, y, t and bands of a collection. Values are physical (reflectance, kelvin), in double precision; classes and quality bits are as stored. Scenes of one overpass are one time step. By default pixels are those of the coarsest band that the result is computed of, in the UTM zone of most scenes.",
    [
      parameter("id", "Id of the collection, or an alias.", { type: "string", subtype: "collection-id" }),
      parameter(
        "spatial_extent",
        "A box, or polygons outside of which there is no data; `null`: that of a later filter.",
        [BOX, GEOJSON, { type: "null" }],
      ),
      parameter("temporal_extent", "Start, and end that is left out; `null` is open.", [INTERVAL, { type: "null" }]),
      parameter(
        "bands",
        "Names or common names of bands; default: all, in the order of `cube:dimensions`. What nothing is computed of is not read.",
        [{ type: "array", minItems: 1, items: { type: "string", subtype: "band-name" } }, { type: "null" }],
        { default: null },
      ),
      parameter(
        "properties",
        "For properties of scenes, such as eo:cloud_cover, a process graph that says which values are taken.",
        [
          {
            type: "object",
            subtype: "metadata-filter",
            additionalProperties: {
              type: "object",
              subtype: "process-graph",
              parameters: [{ name: "value", description: "The value of the property.", schema: ANY }],
              returns: { description: "Whether the scene is taken.", schema: { type: "boolean" } },
            },
          },
          { type: "null" },
        ],
        { default: null },
      ),
    ],
    RETURNS("The cube."),
    { TemporalExtentEmpty: "The end is not after the start." },
  ),
  define(
    "filter_bbox",
    ["cubes", "filter"],
    "Filter by a box",
    "Keeps the pixels whose centres are in the box.",
    [DATA, parameter("extent", "The box.", BOX)],
    RETURNS("The cube within the box."),
  ),
  define(
    "filter_spatial",
    ["cubes", "filter"],
    "Filter by geometries",
    "Keeps the pixels whose centres are in one of the polygons, that a line passes through, or that a point is in.",
    [DATA, parameter("geometries", "Any geometries but a GeometryCollection.", GEOJSON)],
    RETURNS("The cube within the box around the geometries."),
  ),
  define(
    "filter_temporal",
    ["cubes", "filter"],
    "Filter by time",
    "Keeps the time steps from the start up to and without the end.",
    [
      DATA,
      parameter("extent", "Start and end; `null` is open.", INTERVAL),
      DIMENSION("The temporal dimension; default: all of them.", { default: null }),
    ],
    RETURNS("The cube within the interval."),
    {
      TemporalExtentEmpty: "The end is not after the start.",
      ...NO_DIMENSION,
    },
  ),
  define(
    "filter_bands",
    ["cubes", "filter"],
    "Filter by bands",
    "Keeps some bands: those that are named, then those of wavelengths, in the order given.",
    [
      DATA,
      parameter(
        "bands",
        "Names or common names.",
        { type: "array", items: { type: "string", subtype: "band-name" } },
        { default: [] },
      ),
      parameter(
        "wavelengths",
        "Least and greatest wavelength of the centre of a band, micrometres, such as [[0.6, 0.7]].",
        { type: "array", items: { type: "array", minItems: 2, maxItems: 2, items: { type: "number" } } },
        { default: [] },
      ),
    ],
    RETURNS("The cube of these bands."),
    {
      BandFilterParameterMissing: "Neither bands nor wavelengths are given.",
      DimensionMissing: "There is no dimension of bands, or several.",
    },
  ),
  define(
    "mask",
    ["cubes", "masks"],
    "Mask by a cube",
    "Replaces values where the mask is `true` or not 0. The mask is taken on the pixels of the data by nearest neighbour.",
    [
      DATA,
      parameter("mask", "A cube whose dimensions the data have too.", CUBE),
      parameter(
        "replacement",
        "The value for masked pixels.",
        { type: ["number", "boolean", "null"] },
        { default: null },
      ),
    ],
    RETURNS("The masked cube."),
    { IncompatibleDataCubes: "The mask has other dimensions or labels than the data." },
  ),
  define(
    "mask_polygon",
    ["cubes", "masks"],
    "Mask by polygons",
    "Replaces values of pixels whose centres are outside of all polygons. No data stays no data.",
    [
      DATA,
      parameter("mask", "Polygons.", GEOJSON),
      parameter(
        "replacement",
        "The value for masked pixels.",
        { type: ["number", "boolean", "null"] },
        { default: null },
      ),
      parameter("inside", "Whether those inside are replaced instead.", { type: "boolean" }, { default: false }),
    ],
    RETURNS("The masked cube."),
  ),
];
