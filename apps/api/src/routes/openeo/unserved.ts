/**
 * Endpoints of the openEO API 1.2.0 that are not served: batch jobs, services, stored processes, files, and others. The API
 * asks for `FeatureUnsupported` there, so that clients know that it is no mistake of theirs.
 */
const UNSERVED: readonly (readonly [path: RegExp, methods: readonly string[]])[] = [
  [/^\/collections\/[^/]+\/queryables$/, ["GET"]],
  [/^\/udf_runtimes$/, ["GET"]],
  [/^\/credentials\/oidc$/, ["GET"]],
  [/^\/process_graphs$/, ["GET"]],
  [/^\/process_graphs\/[^/]+$/, ["GET", "PUT", "DELETE"]],
  [/^\/service_types$/, ["GET"]],
  [/^\/services$/, ["GET", "POST"]],
  [/^\/services\/[^/]+$/, ["GET", "PATCH", "DELETE"]],
  [/^\/services\/[^/]+\/logs$/, ["GET"]],
  [/^\/jobs$/, ["GET", "POST"]],
  [/^\/jobs\/[^/]+$/, ["GET", "PATCH", "DELETE"]],
  [/^\/jobs\/[^/]+\/(?:estimate|logs)$/, ["GET"]],
  [/^\/jobs\/[^/]+\/results$/, ["GET", "POST", "DELETE"]],
  [/^\/files$/, ["GET"]],
  [/^\/files\/.+$/, ["GET", "PUT", "DELETE"]],
];

/** @param path below the root of the API, without its query */
export function isUnserved(method: string, path: string): boolean {
  const asked = method === "HEAD" ? "GET" : method;
  return UNSERVED.some(([pattern, methods]) => methods.includes(asked) && pattern.test(path));
}
