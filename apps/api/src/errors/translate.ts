import { accountProblem } from "@swath/accounts/hono";
import { CatalogError } from "@swath/catalog";
import { Refusal } from "@swath/engine";
import { refusalOfRead, unavailable } from "@swath/engine/files";
import { didYouMean, upstreamFault } from "@swath/engine/search";
import { OpenEoError } from "@swath/openeo";
import { QueryError } from "@swath/query";
import { SchemaError } from "@swath/schema";
import { ResultStoreError, StoreError } from "@swath/store";
import { JobTimeoutError, QueueFullError } from "@swath/store/jobs";
import { isProblem, ProblemError } from "./problems.ts";
import { type MemberNames, refusalProblem } from "./refusals.ts";

function fromCatalog(error: CatalogError, members: MemberNames): ProblemError {
  if (error.code === "too-many") {
    const detail = "More scenes match than can be sorted: ask for less time or area, or for another order.";
    return new ProblemError("output-too-large", detail, { cause: error });
  }
  const refusal = unavailable(upstreamFault(error.code, error.upstreams), {
    cause: error,
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
  });
  return refusalProblem(refusal, members);
}

/** The process graph is at this place of a body. */
const GRAPH = "/process/process_graph";

/**
 * Writes the message about a fault for a client of openEO, which ends with the node that has it: clients show messages
 * alone.
 */
export const openEoMessage = ({ message, node }: OpenEoError): string =>
  node === undefined ? message : `${message} Node: ${node}`;

function fromOpenEo(error: OpenEoError): ProblemError {
  const { code, message, path } = error;
  const detail = openEoMessage(error);
  const escaped = path.map((name) => String(name).replaceAll("~", "~0").replaceAll("/", "~1"));
  const errors = [{ pointer: [GRAPH, ...escaped].join("/"), detail: message }];
  const members = { openeoCode: code };
  if (code === "CollectionNotFound")
    return new ProblemError("unknown-collection", detail, { cause: error, errors, members });
  if (code === "NoDataAvailable") return new ProblemError("not-found", detail, { cause: error, errors, members });
  // a process that is not served is no fault of the graph's form
  const status = code === "ProcessUnsupported" ? { status: 422 } : code === "FeatureUnsupported" ? { status: 501 } : {};
  return new ProblemError("invalid-process-graph", detail, { cause: error, errors, members, ...status });
}

/** Turns a refusal into a problem; one of an argument of a graph's node takes the form of the faults of graphs. */
function fromRefusal(error: Refusal, members: MemberNames): ProblemError {
  const { code, detail, path } = error;
  const [what, graph, nodes, ...node] = path;
  const isOfNode = code === "invalid" && what === "what" && graph === "graph" && nodes === "nodes";
  if (!isOfNode) return refusalProblem(error, members);
  return fromOpenEo(new OpenEoError("ProcessParameterInvalid", detail, { path: node, cause: error }));
}

/** Seconds after which a store of results may answer again. */
const RESULTS_RETRY_S = 10;
/** A way in that has no members, or whose members are not known. */
const NO_MEMBERS: MemberNames = { in: "query", names: {} };

/**
 * The one table from the libraries' errors to problems. An error that is not in it is returned as it is, and is
 * answered as `internal`.
 *
 * @param members what members of the engine's request are called where the request came in
 */
export function translateError(error: unknown, members: MemberNames = NO_MEMBERS): unknown {
  if (isProblem(error)) return error;
  if (error instanceof Refusal) return fromRefusal(error, members);
  if (error instanceof QueryError) {
    const { unknown } = error;
    const detail = `${error.message}${unknown === undefined ? "" : didYouMean(unknown.given, unknown.known)}`;
    return new ProblemError(error.code, detail, { cause: error, errors: [{ pointer: error.pointer, detail }] });
  }
  if (error instanceof CatalogError) return fromCatalog(error, members);
  if (error instanceof SchemaError) {
    if (error.code === "unknown-band") return new ProblemError("unknown-band", error.message, { cause: error });
    if (error.code === "unknown-collection")
      return new ProblemError("unknown-collection", error.message, { cause: error });
    return new ProblemError("not-found", error.message, { cause: error });
  }
  if (error instanceof OpenEoError) return fromOpenEo(error);
  const refused = accountProblem(error);
  if (refused !== undefined) return refused;
  if (error instanceof QueueFullError) {
    const { message, limits, retryAfter } = error;
    return new ProblemError("concurrency-limit", message, { cause: error, limits, retryAfter });
  }
  if (error instanceof JobTimeoutError) return new ProblemError("render-timeout", error.message, { cause: error });
  if (error instanceof ResultStoreError) {
    return refusalProblem(unavailable(error.message, { cause: error, retryAfter: RESULTS_RETRY_S }), members);
  }
  if (error instanceof StoreError) {
    const detail = "The service cannot reach its own records of keys and jobs.";
    return refusalProblem(unavailable(detail, { cause: error }), members);
  }
  const known = refusalOfRead(error);
  return known instanceof Refusal ? refusalProblem(known, members) : known;
}
