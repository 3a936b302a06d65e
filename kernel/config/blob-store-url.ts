import { HTTP, isUrlOf, urlOf } from './environment.js';

const OPTIONS: readonly string[] = ['endpoint', 'region'];

/** `s3://bucket/prefix?endpoint=…&region=…`. Source: operating contract, Environment */
export const blobStoreUrl = urlOf('s3:')
  .transform((value) => new URL(value))
  .refine(({ username }) => username === '', 'holds no keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  .refine(({ hostname }) => /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/.test(hostname), 'names no bucket.')
  .refine(
    (url) => [...url.searchParams.keys()].every((name) => OPTIONS.includes(name)),
    'takes the options endpoint and region only.',
  )
  .transform(({ hostname, pathname, searchParams }) => ({
    bucket: hostname,
    /** Before every key, with a slash at its end; may be empty. */
    prefix: decodeURIComponent(pathname)
      .replaceAll(/^\/+|\/+$/g, '')
      .replace(/.$/, '$&/'),
    /** Undefined: Amazon's own. */
    endpoint: searchParams.get('endpoint') ?? undefined,
    region: searchParams.get('region'),
  }))
  .refine(
    ({ endpoint }) => !endpoint || isUrlOf(HTTP, endpoint),
    'needs an endpoint that starts with http:// or https://.',
  );
