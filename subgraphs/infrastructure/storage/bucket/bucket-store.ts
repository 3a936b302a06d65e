import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteBucketPolicyCommand,
  GetBucketPolicyCommand,
  HeadBucketCommand,
  PutBucketPolicyCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { BucketConfig } from '../../../../kernel/object-store/bucket-settings.js';
import { errorNameOf, openS3Client, statusOf } from '../../../../kernel/object-store/client.js';
import { StoreFault } from './store-fault.js';

/** Requests are small: a policy, or no body. */
const LIMITS = { maxAttempts: 2, requestTimeout: 10_000 } as const;

/** Client for the S3 object store that holds the users' buckets. */
export class BucketStore {
  private readonly client: S3Client;
  /** Bucket that the platform uses for its own objects. */
  private readonly ownBucket: string;

  constructor(config: BucketConfig) {
    this.ownBucket = config.bucket;
    this.client = openS3Client(config, LIMITS);
  }

  /** Whether this is the platform's own bucket. */
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
      if (errorNameOf(error) !== 'BucketAlreadyOwnedByYou') throw faultOf(error);
    });
  }

  /** Deletes an empty bucket. Safe to repeat. @returns false when it has objects @throws StoreFault */
  async remove(bucket: string): Promise<boolean> {
    try {
      await this.client.send(new DeleteBucketCommand({ Bucket: bucket }));
      return true;
    } catch (error) {
      const name = errorNameOf(error);
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
      if (errorNameOf(error) === 'NoSuchBucketPolicy') return undefined;
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
  const [status, name] = [statusOf(error), errorNameOf(error)];
  if (name === 'NoSuchBucket') return new StoreFault('missing', 'The object store has no such bucket.');
  const isFinal = status !== undefined && status < 500 && status !== 408 && status !== 429;
  return isFinal || status === 501
    ? new StoreFault('refused', `The object store rejected the request: ${name}.`)
    : new StoreFault('unreachable', 'The object store does not answer.');
}
