import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteBucketPolicyCommand,
  GetBucketPolicyCommand,
  HeadBucketCommand,
  PutBucketPolicyCommand,
  S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3';
import type { BlobStoreConfig } from '../../../../kernel/config/config.js';

/** Time-outs in milliseconds. */
const CONNECTION_LIMIT_MS = 3_000;
const ANSWER_LIMIT_MS = 10_000;

const ATTEMPTS = 2;

const ignore = (): void => undefined;

/** Faults are stored with the bucket instead of logged. */
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A failed request to the object store. */
export class StoreFault extends Error {
  constructor(
    /** `missing`: no such bucket; `refused`: a retry cannot succeed; `unreachable`: a retry may succeed. */
    readonly kind: 'missing' | 'refused' | 'unreachable',
    message: string,
  ) {
    super(message);
  }
}

/** Client for the S3 object store that holds the users' buckets. */
export class BucketStore {
  private readonly client: S3Client;
  /** Bucket that the platform uses for its own objects. */
  private readonly ownBucket: string;

  constructor({ bucket, endpoint, region }: BlobStoreConfig) {
    this.ownBucket = bucket;
    this.client = new S3Client({
      region,
      ...(endpoint !== undefined && { endpoint }),
      forcePathStyle: true,
      maxAttempts: ATTEMPTS,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      logger: SILENT,
      requestHandler: { connectionTimeout: CONNECTION_LIMIT_MS, requestTimeout: ANSWER_LIMIT_MS },
    });
  }

  /** Whether the platform uses this bucket itself. */
  isOwn(bucket: string): boolean {
    return bucket === this.ownBucket;
  }

  /** Whether the bucket exists, with any owner. @throws StoreFault */
  async has(bucket: string): Promise<boolean> {
    try {
      await this.client.send(new HeadBucketCommand({ Bucket: bucket }));
      return true;
    } catch (error) {
      const status = statusOf(error);
      if (status === 404) return false;
      if (status === 403 || status === 301) return true;
      throw faultOf(error);
    }
  }

  /** Creates the bucket. Safe to repeat. @throws StoreFault */
  async make(bucket: string): Promise<void> {
    await this.client.send(new CreateBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
      if (nameOf(error) !== 'BucketAlreadyOwnedByYou') throw faultOf(error);
    });
  }

  /** Deletes an empty bucket. Safe to repeat. @returns false when it has objects @throws StoreFault */
  async remove(bucket: string): Promise<boolean> {
    try {
      await this.client.send(new DeleteBucketCommand({ Bucket: bucket }));
      return true;
    } catch (error) {
      const name = nameOf(error);
      if (name === 'BucketNotEmpty') return false;
      if (name === 'NoSuchBucket') return true;
      throw faultOf(error);
    }
  }

  /** The bucket's policy; undefined: it has none. @throws StoreFault */
  async policyOf(bucket: string): Promise<string | undefined> {
    try {
      const { Policy } = await this.client.send(new GetBucketPolicyCommand({ Bucket: bucket }));
      return Policy;
    } catch (error) {
      if (nameOf(error) === 'NoSuchBucketPolicy') return undefined;
      throw faultOf(error);
    }
  }

  /** Replaces the policy. @param policy undefined: deletes it @throws StoreFault */
  async setPolicy(bucket: string, policy: string | undefined): Promise<void> {
    const command =
      policy === undefined
        ? this.client.send(new DeleteBucketPolicyCommand({ Bucket: bucket }))
        : this.client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: policy }));
    await command.catch((error: unknown) => {
      throw faultOf(error);
    });
  }
}

function faultOf(error: unknown): StoreFault {
  const [status, name] = [statusOf(error), nameOf(error)];
  if (name === 'NoSuchBucket') return new StoreFault('missing', 'The object store has no such bucket.');
  const isFinal = status !== undefined && status < 500 && status !== 408 && status !== 429;
  return isFinal || status === 501
    ? new StoreFault('refused', `The object store rejected the request: ${name}.`)
    : new StoreFault('unreachable', 'The object store does not answer.');
}

function statusOf(error: unknown): number | undefined {
  return (error as Partial<S3ServiceException>).$metadata?.httpStatusCode;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'UnknownError';
}
