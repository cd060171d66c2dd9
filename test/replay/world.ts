import { limited } from "./archives/rate.ts";
import { type Upstream, type UpstreamName, upstreams } from "./archives/upstreams.ts";
import { answerOf, exactAnswers } from "./exact.ts";
import { createShelf, type Shelf } from "./files/shelf.ts";
import { type AzureStorage, azureStorage } from "./hosts/azure.ts";
import { eodata } from "./hosts/eodata.ts";
import { CLOUD_FRONT, type LpDaac, lpDaac, PROTECTED_BUCKET } from "./hosts/lp-daac.ts";
import { amazonS3, s3Address } from "./hosts/s3.ts";
import type { Host } from "./messages.ts";
import type { Exchange, Recordings } from "./recordings.ts";

/** Keys and tokens that the hosts take. */
export interface Credentials {
  readonly amazon: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Keys of Copernicus Data Space. */
  readonly eodata: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Bearer token of Earthdata Login. */
  readonly earthdata: string;
}

/** All hosts of the archives. */
export interface World {
  readonly upstreams: Readonly<Record<UpstreamName, Upstream>>;
  readonly shelf: Shelf;
  readonly azure: AzureStorage;
  readonly lpDaac: LpDaac;
  /** The host of a name; `undefined` where there is none. */
  hostOf(url: URL): Host | undefined;
}

/** Searches a second that Copernicus Data Space takes. */
const CDSE_PER_SECOND = 5;

export function createWorld(recordings: Recordings, credentials: Credentials, now: () => number): World {
  const apis = upstreams(recordings);
  const mirror = recordings.items("digital-earth-africa");
  const shelf = createShelf([...Object.values(apis).flatMap(({ items }) => items), ...mirror]);
  const azure = azureStorage(shelf, apis["planetary-computer"].collections, now);
  const daac = lpDaac(shelf, credentials.earthdata);
  const exact = exactAnswers(recordings.exchanges);
  const quoted = (name: string): Exchange => {
    const found = recordings.quoted.get(name);
    if (found === undefined) throw new RangeError(`No refusal was quoted by the name ${name}.`);
    return found;
  };
  /** Recorded answers first, the stand-in for the rest. */
  const replayed =
    (host: Host): Host =>
    (request) =>
      exact(request) ?? host(request);
  const api = (name: UpstreamName): Host => replayed(apis[name].host);
  const byPath = (routes: readonly (readonly [prefix: string, host: Host])[]): Host => {
    return (request) => {
      const route = routes.find(([prefix]) => request.url.pathname.startsWith(prefix));
      return route === undefined ? { status: 404 } : route[1](request);
    };
  };
  const loginPage = answerOf(quoted("usgs-landsatlook-login-html"));
  const tooMany = answerOf(quoted("cdse-stac-429"));
  const hosts: Readonly<Record<string, Host>> = {
    "earth-search.aws.element84.com": byPath([["/v1", api("earth-search")]]),
    "planetarycomputer.microsoft.com": byPath([
      ["/api/stac/v1", api("planetary-computer")],
      ["/api/sas/v1/token/", azure.tokens],
    ]),
    "cmr.earthdata.nasa.gov": byPath([
      ["/stac/LPCLOUD", api("nasa-cmr-stac")],
      ["/search/", replayed(() => ({ status: 404 }))],
    ]),
    "landsatlook.usgs.gov": byPath([
      ["/stac-server", api("usgs")],
      ["/data/", () => loginPage],
    ]),
    "stac.dataspace.copernicus.eu": byPath([["/v1", limited(api("cdse"), CDSE_PER_SECOND, tooMany, now)]]),
    "eodata.dataspace.copernicus.eu": eodata(shelf, credentials.eodata, now),
    "data.lpdaac.earthdatacloud.nasa.gov": daac.door,
    "urs.earthdata.nasa.gov": daac.login,
    [CLOUD_FRONT]: daac.cloudFront,
    [PROTECTED_BUCKET]: daac.bucket,
  };
  const s3 = amazonS3(shelf, credentials.amazon, now);
  return {
    upstreams: apis,
    shelf,
    azure,
    lpDaac: daac,
    hostOf: (url) => {
      const named = hosts[url.hostname];
      if (named !== undefined) return named;
      if (url.hostname.endsWith(".blob.core.windows.net")) return azure.blobs;
      return s3Address(url) === undefined ? undefined : s3;
    },
  };
}
