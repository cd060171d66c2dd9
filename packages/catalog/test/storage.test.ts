import { BUILT_IN_FILES, type CollectionFile, createRegistry, defaultRegistry, isVirtualFile } from "@swath/schema";
import { expect, test } from "vitest";
import { StorageSchemes } from "../src/storage.ts";

test("a bucket has the region and payer of the collection files, also by the beginning of its name", () => {
  const schemes = new StorageSchemes(undefined, defaultRegistry);
  schemes.refsOf("s3://copernicus-dem-30m/a.tif", {});
  schemes.refsOf("s3://deafrica-sentinel-2-l2a-c1/a.tif", {});
  expect(schemes.toProperties()["storage:schemes"]).toMatchObject({
    aws: { bucket: "copernicus-dem-30m", region: "eu-central-1", requester_pays: false },
    "aws-deafrica-sentinel-2-l2a-c1": { region: "af-south-1", requester_pays: false },
  });
});

test("a bucket of another service is no bucket of AWS", () => {
  const dem = BUILT_IN_FILES.find((file): file is CollectionFile => !isVirtualFile(file) && file.id === "dem");
  const bucket = { name: "eodata", region: "default", requesterPays: false, endpoint: "https://s3.example" };
  const registry = createRegistry([{ ...(dem as CollectionFile), storage: { buckets: [bucket], hosts: [] } }]);
  const schemes = new StorageSchemes(undefined, registry);
  schemes.refsOf("s3://eodata/a.tif", {});
  expect(schemes.toProperties()["storage:schemes"]).toEqual({
    aws: {
      type: "custom-s3",
      platform: "https://s3.example/{bucket}",
      bucket: "eodata",
      region: "default",
      requester_pays: false,
    },
  });
});
