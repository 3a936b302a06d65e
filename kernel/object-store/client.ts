import { S3Client, type S3ServiceException } from '@aws-sdk/client-s3';
import type { BucketConfig } from './bucket-settings.js';

/** Connect timeout in milliseconds. */
const CONNECT_TIMEOUT_MS = 3_000;

/** Maximum parallel requests of one client, unless its limits have another number. */
const MAX_SOCKETS = 256;

/** Retry limit, and timeouts in milliseconds. */
export interface S3Limits {
  /** Maximum attempts for a request with a repeatable body. */
  readonly maxAttempts: number;
  /** From the request to the response. */
  readonly requestTimeout?: number;
  /** Without traffic on the connection. */
  readonly socketTimeout?: number;
  readonly maxSockets?: number;
}

const ignore = (): void => undefined;

/** The SDK logs nothing; callers log or store errors. */
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Opens a client for an S3-compatible store. Import this file only when needed: the SDK loads slowly. */
export function openS3Client(
  { endpoint, region, credentials }: BucketConfig,
  { maxAttempts, maxSockets = MAX_SOCKETS, ...timeouts }: S3Limits,
): S3Client {
  const agent = { keepAlive: true, maxSockets };
  return new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
    forcePathStyle: true,
    maxAttempts,
    // Many stores do not support the checksums of Amazon S3 or trailers; chunks have their own BLAKE3.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    logger: SILENT,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      ...timeouts,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

/** Returns the HTTP status of a failed request; undefined without a response. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof Error ? (error as S3ServiceException).$metadata?.httpStatusCode : undefined;
}

/** Returns the error name: the S3 code (NoSuchBucket) or the JavaScript error name; undefined for a non-Error. */
export function errorNameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}
