import { DATA, DIMENSION, LABELS, NO_DIMENSION, RETURNS, TEXT } from "./cube-schemas.ts";
import { define, type ProcessDefinition, parameter } from "./definition.ts";

/** Definitions of processes on dimensions and their labels, and of the one that saves cubes. */
export const LABEL_DEFINITIONS: readonly ProcessDefinition[] = [
  define(
    "rename_labels",
    ["cubes"],
    "Rename labels",
    "Gives labels of a dimension other names.",
    [
      DATA,
      DIMENSION("The dimension."),
      parameter("target", "The new names.", LABELS),
      parameter(
        "source",
        "The old names. Default: numbers from 0, which are the labels of what `apply_dimension` made.",
        LABELS,
        { default: [] },
      ),
    ],
    RETURNS("The cube with new labels."),
    {
      LabelExists: "There is a label of a new name already, or two would be the same.",
      LabelMismatch: "There are not as many new names as old ones.",
      LabelNotAvailable: "There is no such label.",
      LabelsNotEnumerated: "No old names are given, and they are not numbers from 0.",
    },
  ),
  define(
    "add_dimension",
    ["cubes"],
    "Add a dimension",
    "Adds a dimension with one label.",
    [
      DATA,
      parameter("name", "Its name.", TEXT),
      parameter("label", "Its label.", [{ type: "number" }, { type: "string" }]),
      parameter("type", "Its type.", { type: "string", enum: ["bands", "temporal", "other"] }, { default: "other" }),
    ],
    RETURNS("The cube with the dimension."),
    { DimensionExists: "There is a dimension of that name." },
  ),
  define(
    "drop_dimension",
    ["cubes"],
    "Drop a dimension",
    "Removes a dimension that has one label.",
    [DATA, parameter("name", "Its name.", TEXT)],
    RETURNS("The cube without the dimension."),
    { DimensionLabelCountMismatch: "The dimension has more than one label.", ...NO_DIMENSION },
  ),
  define(
    "dimension_labels",
    ["cubes"],
    "Labels of a dimension",
    "The labels of t, bands or an added dimension.",
    [DATA, DIMENSION("The dimension.")],
    { description: "The labels.", schema: LABELS },
    NO_DIMENSION,
  ),
  define(
    "save_result",
    ["cubes", "export"],
    "Save a cube as a file",
    "GTiff, PNG and JPEG hold cubes with x and y: a GTiff a band for each combination of labels, a PNG or JPEG one band or three, with values from 0 to 255. JSON and CSV hold what was aggregated over space.",
    [
      DATA,
      parameter("format", "The format.", {
        type: "string",
        subtype: "output-format",
        enum: ["GTiff", "PNG", "JPEG", "JSON", "CSV"],
      }),
      parameter("options", "None are known.", { type: "object", subtype: "output-format-options" }, { default: {} }),
    ],
    { description: "`false` on failure, else `true`.", schema: { type: "boolean" } },
    { FormatUnsuitable: "The cube cannot be written in this format." },
  ),
];
