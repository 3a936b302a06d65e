import type { z } from 'zod';
import { HTTP, isUrlOf, settings, text, urlOf } from '../config/environment.js';

const OPTIONS: readonly string[] = ['endpoint', 'region'];

/** Parses `s3://bucket/prefix?endpoint=…&region=…`. */
const bucketUrl = urlOf('s3:')
  .transform((value) => new URL(value))
  .refine(({ username }) => username === '', 'must not contain keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  .refine(({ hostname }) => /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/.test(hostname), 'does not name a bucket.')
  .refine(
    (url) => [...url.searchParams.keys()].every((name) => OPTIONS.includes(name)),
    'allows only the options endpoint and region.',
  )
  .transform(({ hostname, pathname, searchParams }) => ({
    bucket: hostname,
    /** Prefix of every key: empty, or ends with a slash. */
    prefix: decodeURIComponent(pathname)
      .replaceAll(/^\/+|\/+$/g, '')
      .replace(/.$/, '$&/'),
    /** Undefined: Amazon S3. */
    endpoint: searchParams.get('endpoint') ?? undefined,
    region: searchParams.get('region'),
  }))
  .refine(
    ({ endpoint }) => !endpoint || isUrlOf(HTTP, endpoint),
    'needs an endpoint that starts with http:// or https://.',
  );

/** The bucket that BLOB_URL names; undefined: it is not set. Without keys in variables, the S3 client looks for them in the other usual places. */
export const bucketSettings = settings({
  url: ['BLOB_URL', bucketUrl.optional()],
  region: ['AWS_REGION', text.default('us-east-1')],
  accessKeyId: ['AWS_ACCESS_KEY_ID', text.optional()],
  secretAccessKey: ['AWS_SECRET_ACCESS_KEY', text.optional()],
  sessionToken: ['AWS_SESSION_TOKEN', text.optional()],
}).transform(({ url, region, ...keys }) => url && { ...url, region: url.region ?? region, ...credentialsOf(keys) });

interface Keys {
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  readonly sessionToken?: string | undefined;
}

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

function credentialsOf({ accessKeyId, secretAccessKey, sessionToken }: Keys): { readonly credentials?: Credentials } {
  if (accessKeyId === undefined || secretAccessKey === undefined) return {};
  return { credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) } };
}

/** A bucket of an S3-compatible store. */
export type BucketConfig = NonNullable<z.infer<typeof bucketSettings>>;
