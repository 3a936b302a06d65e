import { S3Client, type S3ServiceException } from '@aws-sdk/client-s3';
import type { BlobStoreConfig } from './config/config.js';

/** Milliseconds to connect. */
const CONNECT_TIMEOUT_MS = 3_000;

/** Requests of a client at once. */
const MAX_SOCKETS = 256;

/** What a user of the store waits for. Timeouts in milliseconds. */
export interface S3Limits {
  /** Attempts for a request whose body can be sent again. */
  readonly maxAttempts: number;
  /** From the request to its answer. */
  readonly requestTimeout?: number;
  /** Without a byte on the connection. */
  readonly socketTimeout?: number;
}

const ignore = (): void => undefined;

/** Errors are logged or stored where they are answered. */
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Opens a client of the store that BLOB_URL names. Import this file only if there is one: the SDK takes long to load. */
export function openS3Client({ endpoint, region }: BlobStoreConfig, { maxAttempts, ...timeouts }: S3Limits): S3Client {
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint }),
    forcePathStyle: true,
    maxAttempts,
    // Many stores do not support the checksums of Amazon S3 or trailers; chunks have their own BLAKE3.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    logger: SILENT,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, ...timeouts, httpAgent: agent, httpsAgent: agent },
  });
}

/** The HTTP status of a failed request; undefined if there was no answer. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof Error ? (error as S3ServiceException).$metadata?.httpStatusCode : undefined;
}

/** The error code of S3, such as NoSuchBucket. */
export function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}
