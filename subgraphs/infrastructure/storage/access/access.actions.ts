import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { listBuckets, noSuchBucket } from '../bucket/bucket.actions.js';
import { readGrants, readLiveGrants } from '../grant/grant.actions.js';
import { asSubToken } from '../sub-token/sub-token.actions.js';
import type { InfrastructureContext } from '../../services.js';
import { Accesses, isFor, isNothing, type Access } from '../grant/effective-access.rules.js';
import type { Grant } from '../grant/grant.js';
import type { AccessExplanation, BucketAccess, SubTokenAccess } from './access.js';
import { explain, type Attempt, type Verdict } from './explain.rules.js';

/** The sub-tokens with access to each bucket of the user, after the limits of parents. Revoked ones are left out. */
export async function listAccess(context: InfrastructureContext, userId: number): Promise<BucketAccess[]> {
  const { database, now } = context;
  const [buckets, grants] = await Promise.all([listBuckets(context, userId), readLiveGrants(database, userId)]);
  const accesses = new Accesses(grants, now());
  const left = grants.toReversed().flatMap((grant) => {
    if (grant.revokedAt) return [];
    const access = accesses.accessOf(grant);
    return isNothing(access) ? [] : [{ grant, access }];
  });
  return buckets.map(({ name: bucket }) => ({
    bucket,
    subTokens: left.filter(({ access }) => isFor(access, bucket)).map(({ grant, access }) => shown(grant, access)),
  }));
}

function shown({ id, name, accessKeyId }: Grant, access: Access): SubTokenAccess {
  const { actions, status, expiresAt } = access;
  const prefixes = access.prefixes.filter((prefix) => prefix !== '');
  return { id, name, accessKeyId, actions: [...actions], prefixes, status, expiresAt };
}

/** Explains which of the user's sub-tokens allow an attempt. @throws NOT_FOUND for the bucket */
export async function explainAccess(
  { database }: InfrastructureContext,
  userId: number,
  attempt: Attempt,
): Promise<AccessExplanation> {
  const [own] = await database.run(OWN_BUCKET, { userId, name: attempt.bucket });
  if (!own) throw noSuchBucket();
  const accesses = new Accesses(await readGrants(database, userId), attempt.now);
  const verdicts = explain(accesses, attempt);
  const [first] = verdicts;
  return {
    isAllowed: first?.isAllowed ?? false,
    reason: sentenceOf(verdicts),
    verdicts: verdicts.map(({ grant, ...verdict }) => ({
      ...verdict,
      subToken: asSubToken(grant, accesses),
    })),
  };
}

const OWN_BUCKET = query('own-bucket', (db: Tables, { userId, name }: { userId: number; name: string }) =>
  db.selectFrom('bucket').where((row) => row.and({ userId, name })),
);

function sentenceOf(verdicts: readonly Verdict[]): string {
  const [first, ...others] = verdicts;
  if (!first) return 'You have no sub-tokens.';
  if (first.isAllowed) return `Allowed by the sub-token “${first.grant.name}”. ${first.reason}`;
  if (others.length > 0) return `None of your ${verdicts.length} sub-tokens allows this.`;
  return `Not allowed by the sub-token “${first.grant.name}”. ${first.reason}`;
}
