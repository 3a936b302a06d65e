import { checkUrl, ConfigError, HTTP, read, type Environment } from './environment.js';

/** An S3-compatible store; its keys come from the usual AWS_* variables, which the client reads itself. */
export interface BlobStoreConfig {
  readonly bucket: string;
  /** Before every key, with a slash at its end; may be empty. */
  readonly prefix: string;
  /** Undefined: Amazon's own. */
  readonly endpoint: string | undefined;
  readonly region: string;
}

const OPTIONS: ReadonlySet<string> = new Set(['endpoint', 'region']);

/** Reads `BLOB_URL=s3://bucket/prefix?endpoint=…&region=…`. Source: operating contract, Environment. @throws ConfigError */
export function readBlobStore(env: Environment): BlobStoreConfig | undefined {
  const value = read(env, 'BLOB_URL');
  if (value === undefined) return undefined;
  const { hostname, username, pathname, searchParams } = new URL(checkUrl('BLOB_URL', value, ['s3:']));
  if (username !== '')
    throw new ConfigError('BLOB_URL holds no keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  if (!/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/.test(hostname)) throw new ConfigError('BLOB_URL names no bucket.');
  const odd = [...searchParams.keys()].find((name) => !OPTIONS.has(name));
  if (odd !== undefined) throw new ConfigError(`BLOB_URL has the option "${odd}"; it takes endpoint and region.`);
  const endpoint = searchParams.get('endpoint') ?? undefined;
  const prefix = decodeURIComponent(pathname).replaceAll(/^\/+|\/+$/g, '');
  return {
    bucket: hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint: endpoint && checkUrl('The endpoint in BLOB_URL', endpoint, HTTP),
    region: searchParams.get('region') ?? read(env, 'AWS_REGION') ?? 'us-east-1',
  };
}
