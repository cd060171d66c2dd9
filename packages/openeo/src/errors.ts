/**
 * Faults of a process graph, by the codes of the openEO API and of its process definitions.
 * - `ProcessGraphInvalid`: not a graph: nodes, links, cycles, the result node.
 * - `ProcessGraphComplexity`: too many nodes, levels, cells of a cube or operations.
 * - `ProcessUnsupported`: a process, or a use of one, that is not served.
 * - `ProcessParameterMissing`: a parameter of the process has no value and no default.
 * - `ProcessParameterUnsupported`, `ProcessParameterRequired`, `ProcessParameterInvalid`: an argument of a node.
 * - `CollectionNotFound`: the collection of `load_collection` is not known.
 * - `FormatUnsupported`, `FormatArgumentUnsupported`, `FormatUnsuitable`: of `save_result`.
 * - `FeatureUnsupported`: a part of a definition that is not served.
 * - `NoDataAvailable`: filters leave no time step, or no band.
 * - The others are exceptions of process definitions, under the names that those give them.
 */
export type OpenEoErrorCode =
  | "ProcessGraphInvalid"
  | "ProcessGraphComplexity"
  | "ProcessUnsupported"
  | "ProcessParameterMissing"
  | "ProcessParameterUnsupported"
  | "ProcessParameterRequired"
  | "ProcessParameterInvalid"
  | "CollectionNotFound"
  | "FormatUnsupported"
  | "FormatArgumentUnsupported"
  | "FormatUnsuitable"
  | "FeatureUnsupported"
  | "NoDataAvailable"
  | ProcessException;

/** Exceptions of the process definitions. */
export type ProcessException =
  | "ArrayElementNotAvailable"
  | "ArrayElementParameterConflict"
  | "ArrayElementParameterMissing"
  | "AscendingProbabilitiesRequired"
  | "BandExists"
  | "BandFilterParameterMissing"
  | "DimensionAmbiguous"
  | "DimensionExists"
  | "DimensionLabelCountMismatch"
  | "DimensionMissing"
  | "DimensionNotAvailable"
  | "DistinctDimensionLabelsRequired"
  | "IncompatibleDataCubes"
  | "LabelExists"
  | "LabelMismatch"
  | "LabelNotAvailable"
  | "LabelsNotEnumerated"
  | "MinMaxSwapped"
  | "NirBandAmbiguous"
  | "OverlapResolverMissing"
  | "QuantilesParameterConflict"
  | "QuantilesParameterMissing"
  | "RedBandAmbiguous"
  | "TargetDimensionExists"
  | "TemporalExtentEmpty"
  | "TooManyDimensions";

export interface OpenEoErrorOptions extends ErrorOptions {
  /** Path of the fault in the process graph: names of members and numbers of entries. */
  readonly path?: readonly (string | number)[];
}

/** Characters of a message: it may have names that a client made up. */
const MAX_MESSAGE = 1000;

/** A process graph that cannot be run. The message is for clients. */
export class OpenEoError extends Error {
  override readonly name = "OpenEoError";
  readonly code: OpenEoErrorCode;
  /** Path of the fault in the process graph: names of members and numbers of entries; empty: the graph itself. */
  readonly path: readonly (string | number)[];

  constructor(code: OpenEoErrorCode, message: string, { path = [], ...options }: OpenEoErrorOptions = {}) {
    super(message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message, options);
    this.code = code;
    this.path = path;
  }

  /**
   * Id of the node that has the fault, after those of the nodes whose callback it is in: `apply/threshold`; `undefined`: the
   * graph itself has it. At most 200 characters.
   */
  get node(): string | undefined {
    const [first, ...rest] = this.path;
    if (first === undefined) return undefined;
    const ids = rest.flatMap((name, i) => (rest[i - 1] === "process_graph" ? [name] : []));
    const node = [first, ...ids].join("/");
    return node.length > MAX_NODE ? `…${node.slice(1 - MAX_NODE)}` : node;
  }
}

/** Characters of the ids of nodes, which clients make up. */
const MAX_NODE = 200;
