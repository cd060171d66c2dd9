import * as z from "zod";

const HOST = "(\\*\\.)?[a-z0-9][a-z0-9.-]*(:\\d{1,5})?";
const BUCKET = "[A-Za-z0-9][A-Za-z0-9._-]*\\*?";

const host = z.string().regex(new RegExp(`^${HOST}$`));
/** https, or a server of this machine. */
const address = z.string().regex(/^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)(:\d{1,5})?(\/|$))[^\s?#]*$/);

/** The rate of requests to a host, all threads of a process together. */
const limits = {
  requestsAtOnce: z.int().min(1).max(1000).optional().meta({ description: "Most requests that run at once." }),
  requestsPerSecond: z.int().min(1).max(10_000).optional().meta({
    description: "Most requests that begin within a second.",
  }),
};

/** Facts about an S3 bucket: where it is, who pays and who may read it. */
export const BucketFile = z
  .strictObject({
    name: z
      .string()
      .regex(new RegExp(`^${BUCKET}$`))
      .meta({ description: "Name of the bucket; `name-*` stands for all buckets that begin so." }),
    region: z.string().min(1).meta({ description: "Region of the bucket: its endpoint and its signatures." }),
    requesterPays: z.boolean().meta({ description: "Whether requests have to say that the reader pays." }),
    signed: z.boolean().optional().meta({
      description: "Whether requests are signed with keys of the service; default: where the reader pays.",
    }),
    keys: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/)
      .optional()
      .meta({ description: "Name of the keys in `SWATH_S3_KEYS`; default: those of the `AWS_` variables." }),
    endpoint: address.optional().meta({
      description: "Base of another S3-compatible service; buckets are then the first part of the path.",
    }),
    ...limits,
  })
  .meta({ description: "A bucket of S3: mirrors copy what items say of the original's bucket, so this comes first." });
export type BucketFile = z.infer<typeof BucketFile>;

/** Facts about an https host of files: what it wants of its readers. They do not allow that it is read from. */
export const ServerFile = z
  .strictObject({
    host: host.meta({ description: "`example.org`, `example.org:8443`, or `*.example.org` for every name below." }),
    token: z.enum(["earthdata"]).optional().meta({
      description: "Token of the service that requests carry: `earthdata` is the one of `EARTHDATA_TOKEN`.",
    }),
    tokenService: address.optional().meta({
      description: "Where signatures are handed out, without an account: `{tokenService}/{account}/{container}`.",
    }),
    redirectHosts: z.array(host).min(1).optional().meta({
      description: "Hosts that redirects of this one may lead to besides `hosts`. They get no token.",
    }),
    loginHosts: z.array(host).min(1).optional().meta({
      description: "Hosts of login pages: a redirect there says that a token is missing or has expired.",
    }),
    ...limits,
  })
  .meta({ description: "What an https host of files wants of its readers." });
export type ServerFile = z.infer<typeof ServerFile>;

/** The storage of a collection's files. */
export const StorageFile = z.strictObject({
  buckets: z.array(BucketFile),
  servers: z.array(ServerFile).optional(),
  hosts: z.array(z.string().regex(new RegExp(`^(s3://${BUCKET}|${HOST})$`))).meta({
    description:
      "Hosts and buckets that files may be read from: `example.org`, `*.example.org`, `s3://bucket`, `s3://name-*`.",
  }),
});
export type StorageFile = z.infer<typeof StorageFile>;
