import { createRegistry, defaultRegistry } from "@swath/schema";
import { BUILT_IN_FILES, type CollectionFile, isVirtualFile } from "@swath/schema/files";
import { expect, test } from "vitest";
import { toServiceItem } from "../../src/index.ts";

/** An item of the elevation model whose one file is at an address; it says nothing of its storage. */
const item = (href: string): object => ({
  type: "Feature",
  stac_version: "1.0.0",
  id: "Copernicus_DSM_COG_10_N45_00_E013_00_DEM",
  collection: "cop-dem-glo-30",
  geometry: null,
  links: [],
  properties: { datetime: "2021-04-22T00:00:00Z", "storage:platform": "AWS" },
  assets: { data: { href, type: "image/tiff; application=geotiff", roles: ["data"] } },
});
const schemesOf = (href: string, registry = defaultRegistry): unknown =>
  toServiceItem(item(href), registry)?.properties["storage:schemes"];

test.each([
  { bucket: "copernicus-dem-30m", region: "eu-central-1" },
  { bucket: "deafrica-input-datasets", region: "af-south-1" },
  { bucket: "dea-public-data", region: "ap-southeast-2" },
])("an item says that $bucket is in $region, as collection files say of it or of how its name begins", (facts) => {
  const { bucket, region } = facts;
  expect(schemesOf(`s3://${bucket}/a.tif`)).toMatchObject({ aws: { bucket, region, requester_pays: false } });
});

test("an item that says the region default means us-east-1", () => {
  const plain = item("s3://mine/a.tif") as { properties: object };
  const shown = toServiceItem({ ...plain, properties: { ...plain.properties, "storage:region": "default" } });
  expect(shown?.properties["storage:schemes"]).toMatchObject({ aws: { bucket: "mine", region: "us-east-1" } });
});

test("a bucket of another service is no bucket of AWS", () => {
  const dem = BUILT_IN_FILES.find((file): file is CollectionFile => !isVirtualFile(file) && file.id === "dem");
  const bucket = { name: "eodata", region: "default", requesterPays: false, endpoint: "https://s3.example" };
  const registry = createRegistry([{ ...(dem as CollectionFile), storage: { buckets: [bucket], hosts: [] } }]);
  expect(schemesOf("s3://eodata/a.tif", registry)).toEqual({
    aws: {
      type: "custom-s3",
      platform: "https://s3.example/{bucket}",
      bucket: "eodata",
      region: "default",
      requester_pays: false,
    },
  });
});
