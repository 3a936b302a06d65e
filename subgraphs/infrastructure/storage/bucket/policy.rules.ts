import { isFor, isNothing, type Access, type Accesses } from '../grant/effective-access.rules.js';
import type { Grant } from '../grant/grant.js';
import { EVERYWHERE } from '../grant/cidr.rules.js';

/** A statement of a bucket's policy. Source: Amazon S3, Bucket policies */
export type Statement = Readonly<Record<string, unknown>>;

/** Statement ids (Sid) of the platform. */
const OURS = /^Archipelago\d+(?:Read|List|Write)$/;

/** Version of the policy language. */
const VERSION = '2012-10-17';

/**
 * The policy statements of a bucket for all sub-tokens, in a stable order. Validity is a condition that the store enforces.
 * Revoked and expired sub-tokens and those without access are left out.
 */
export function statementsOf(bucket: string, accesses: Accesses): Statement[] {
  return accesses.grants
    .toSorted((a, b) => a.id - b.id)
    .flatMap((grant) => {
      if (accesses.isEnded(grant)) return [];
      const access = accesses.accessOf(grant);
      return isNothing(access) || !isFor(access, bucket) ? [] : statementsFor(bucket, grant, access);
    });
}

function statementsFor(bucket: string, { id, accessKeyId }: Grant, access: Access): Statement[] {
  const name = `Archipelago${id}`;
  const arn = `arn:aws:s3:::${bucket}`;
  const objects = access.prefixes.map((prefix) => `${arn}/${prefix}*`);
  const common = { Effect: 'Allow', Principal: { AWS: [`arn:aws:iam:::user/${accessKeyId}`] } };
  const conditions = conditionsOf(access);
  const condition = (more: Readonly<Record<string, unknown>> = {}) => {
    const all = { ...conditions, ...more };
    return Object.keys(all).length > 0 ? { Condition: all } : {};
  };
  const listed = access.prefixes.includes('')
    ? {}
    : { StringLike: { 's3:prefix': access.prefixes.map((p) => `${p}*`) } };
  const reading = [
    { Sid: `${name}Read`, ...common, Action: ['s3:GetObject'], Resource: objects, ...condition() },
    { Sid: `${name}List`, ...common, Action: ['s3:ListBucket'], Resource: [arn], ...condition(listed) },
  ];
  const changes = ['s3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'];
  const writing = { Sid: `${name}Write`, ...common, Action: changes, Resource: objects, ...condition() };
  return [...(access.actions.includes('read') ? reading : []), ...(access.actions.includes('write') ? [writing] : [])];
}

function conditionsOf({ addresses, notBefore, expiresAt }: Access): Record<string, unknown> {
  const isEverywhere = EVERYWHERE.every((network) => addresses.includes(network));
  return {
    ...(!isEverywhere && { IpAddress: { 'aws:SourceIp': addresses } }),
    ...(notBefore && { DateGreaterThanEquals: { 'aws:CurrentTime': notBefore.toISOString() } }),
    ...(expiresAt && { DateLessThan: { 'aws:CurrentTime': expiresAt.toISOString() } }),
  };
}

/** A policy read from the store, split into the platform's statements and all others. */
export interface FoundPolicy {
  readonly ours: readonly Statement[];
  readonly others: readonly Statement[];
}

/** Parses a policy. @param text undefined: the bucket has no policy @throws SyntaxError */
export function readPolicy(text: string | undefined): FoundPolicy {
  const policy: unknown = text === undefined ? {} : JSON.parse(text);
  const found = typeof policy === 'object' && policy !== null && 'Statement' in policy ? policy.Statement : [];
  const statements = (Array.isArray(found) ? found : [found]) as Statement[];
  const isOurs = ({ Sid }: Statement) => typeof Sid === 'string' && OURS.test(Sid);
  return { ours: statements.filter(isOurs), others: statements.filter((statement) => !isOurs(statement)) };
}

/** The platform's statements without those of expired sub-tokens, for when the desired policy cannot be written. */
export function withoutEnded(ours: readonly Statement[], desired: readonly Statement[]): Statement[] {
  const names = new Set(desired.map(({ Sid }) => Sid));
  return ours.filter(({ Sid }) => names.has(Sid));
}

/** The policy as JSON; undefined when it has no statements. */
export function policyText(statements: readonly Statement[]): string | undefined {
  return statements.length === 0 ? undefined : JSON.stringify({ Version: VERSION, Statement: statements });
}

/** Maximum size of a policy in bytes. Source: Amazon S3, Bucket policies: 20 KB */
const MAX_BYTES = 20 * 1_024;

/** Whether the policy exceeds the size limit. */
export function isTooLarge(policy: string | undefined): boolean {
  return policy !== undefined && Buffer.byteLength(policy) > MAX_BYTES;
}

/** Canonical JSON for comparison: stores sort fields and replace lists of one item by the item. */
export function canonical(statements: readonly Statement[]): string {
  const sorted = statements.map((statement) => JSON.stringify(plain(statement))).toSorted();
  return `[${sorted.join(',')}]`;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(plain).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    return items.length === 1 ? items[0] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, inner]) => [name, plain(inner)]));
}
