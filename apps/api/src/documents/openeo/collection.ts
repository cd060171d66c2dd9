import type { Extent } from "@swath/catalog";
import type { CubeCollection } from "@swath/engine/search";
import type { CollectionSchema } from "@swath/schema";
import { type CollectionSite, collectionDocument } from "../collection.ts";

const DATACUBE = "https://stac-extensions.github.io/datacube/v2.2.0/schema.json";

/** A collection as openEO has it: the STAC document, and the dimensions of its cube. */
export function openEoCollection(
  collection: CollectionSchema,
  cube: CubeCollection,
  extent: Extent,
  site: CollectionSite,
): Record<string, unknown> {
  const { baseUrl } = site;
  const document = collectionDocument(collection, extent, site);
  const root = `${baseUrl}/v1/openeo`;
  const [west = -180, south = -90, east = 180, north = 90] = extent.spatial.bbox[0] ?? [];
  const interval = extent.temporal.interval[0] ?? [null, null];
  const canonical = `${baseUrl}/v1/collections/${collection.id}`;
  return {
    ...document,
    stac_extensions: [...(document.stac_extensions as readonly string[]), DATACUBE],
    description: `${collection.description} Values of cubes are physical (${physicalUnits(cube)}), as double-precision numbers with NaN for no data; classes and quality bits are as stored. Scenes of one overpass are one time step.`,
    "cube:dimensions": {
      x: { type: "spatial", axis: "x", extent: [west, east], reference_system: 4326 },
      y: { type: "spatial", axis: "y", extent: [south, north], reference_system: 4326 },
      t: { type: "temporal", extent: interval },
      bands: { type: "bands", values: cube.bands.map(({ name }) => name) },
    },
    summaries: {
      ...(document.summaries as Readonly<Record<string, unknown>>),
      "eo:bands": cube.bands.map(({ name, commonName, wavelength, gsd }) => ({
        name,
        ...(commonName === undefined ? {} : { common_name: commonName }),
        ...(wavelength === undefined ? {} : { center_wavelength: wavelength }),
        gsd,
      })),
    },
    links: [
      { rel: "self", type: "application/json", href: `${root}/collections/${collection.id}`, title: collection.title },
      { rel: "root", type: "application/json", href: root, title: "Capabilities" },
      { rel: "parent", type: "application/json", href: `${root}/collections`, title: "Collections" },
      { rel: "canonical", type: "application/json", href: canonical, title: collection.title },
      { rel: "license", ...collection.licenseLink },
    ],
  };
}

/** Units of the bands that are not as stored. */
function physicalUnits({ programs }: CubeCollection): string {
  const units = [...programs.values()].flatMap(({ units: own, conversion, bands }) =>
    conversion === "physical"
      ? bands.map(({ kind }) => (kind === "thermal" && own === "REFLECTANCE" ? "KELVIN" : own))
      : [],
  );
  return [...new Set(units)].map((unit) => unit.toLowerCase().replace("_", " ")).join(", ") || "none";
}
