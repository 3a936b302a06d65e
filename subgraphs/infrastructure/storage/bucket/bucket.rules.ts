import { badRequest } from '../../../../kernel/errors.js';

/** Maximum number of buckets per user; object stores limit their total number. */
export const MAX_BUCKETS = 20;

/** Validates a bucket name. Source: Amazon S3, Bucket naming rules. @throws BAD_REQUEST */
export function checkBucketName(name: string): void {
  const isWord = /^[a-z0-9](?:[a-z0-9-]|\.(?=[a-z0-9])){1,61}[a-z0-9]$/.test(name);
  const isAddress = /^\d+\.\d+\.\d+\.\d+$/.test(name);
  const isReserved = /^(?:xn--|sthree-|amzn-s3-demo-)|(?:-s3alias|--ol-s3|--x-s3|--table-s3|\.mrap)$/.test(name);
  if (!isWord || isAddress || isReserved)
    throw badRequest(
      '`name` must have 3 to 63 lower-case letters, digits, dashes and single dots, begin and end with a letter or digit, and must not be an IP address or a name reserved by S3.',
    );
}
