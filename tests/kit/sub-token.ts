import { randomBytes } from 'node:crypto';
import { graphql, platform, type Json } from './platform.js';

interface Asked {
  readonly token: string;
  readonly url?: string;
}

/** A name that no other bucket has. */
export function newBucketName(): string {
  return `bucket-${randomBytes(6).toString('hex')}`;
}

/** Executes an operation as the user; answers `{data, errors}`. */
function asUser({ token, url = platform().url }: Asked, query: string, variables: object = {}): Promise<Json> {
  return graphql(query, { token, url, variables: { ...variables } });
}

export function createBucket(asked: Asked, name: string): Promise<Json> {
  return asUser(asked, 'mutation ($name: String!) { createBucket(name: $name) { name createdAt policy { state } } }', {
    name,
  });
}

export function deleteBucket(asked: Asked, name: string): Promise<Json> {
  return asUser(asked, 'mutation ($name: String!) { deleteBucket(name: $name) }', { name });
}

/** A new bucket's name. */
export async function bucketOf(asked: Asked): Promise<string> {
  const name = newBucketName();
  const { errors } = await createBucket(asked, name);
  if (errors) throw new Error(JSON.stringify(errors));
  return name;
}

/** Asks for a sub-token: `{name, scopeType, actions, …}`; answers `{data, errors}`. */
export function askForSubToken(asked: Asked, input: object): Promise<Json> {
  return asUser(
    asked,
    `mutation ($name: String!, $scopeType: SubTokenScope!, $bucketNames: [String!], $actions: [SubTokenAction!]!,
               $allowedPrefixes: [String!], $ipAllowlist: [String!], $notBefore: DateTimeISO, $expiresAt: DateTimeISO, $parentId: Int) {
       createSubToken(name: $name, scopeType: $scopeType, bucketNames: $bucketNames, actions: $actions, allowedPrefixes: $allowedPrefixes,
                      ipAllowlist: $ipAllowlist, notBefore: $notBefore, expiresAt: $expiresAt, parentId: $parentId) {
         id name accessKeyId secret createdAt
       }
     }`,
    { name: 'a token', scopeType: 'all_buckets', actions: ['read', 'write'], ...input },
  );
}

/** A sub-token as it was issued. */
export async function subTokenOf(asked: Asked, input: object = {}): Promise<Json> {
  const { data, errors } = await askForSubToken(asked, input);
  if (errors) throw new Error(JSON.stringify(errors));
  return data.createSubToken;
}

const RECORD = `id name accessKeyId lastFour status parentId scopeType bucketNames actions allowedPrefixes ipAllowlist notBefore
  expiresAt revokedAt createdAt`;

/** The user's sub-tokens, newest first. */
export async function subTokensOf(asked: Asked): Promise<Json[]> {
  return (await asUser(asked, `{ subTokens { ${RECORD} } }`)).data.subTokens;
}

export function revokeSubToken(asked: Asked, id: number): Promise<Json> {
  return asUser(asked, `mutation ($id: Int!) { revokeSubToken(id: $id) { ${RECORD} } }`, { id });
}

/** `{bucket, key, action, address?}`; answers `{data, errors}`. */
export function explainAccess(asked: Asked, attempt: object): Promise<Json> {
  return asUser(
    asked,
    `query ($bucket: String!, $key: String!, $action: SubTokenAction!, $address: String) {
       explainAccess(bucket: $bucket, key: $key, action: $action, address: $address) {
         isAllowed reason verdicts { isAllowed reason subToken { id name status } }
       }
     }`,
    attempt,
  );
}

const BUCKET = 'name policy { state fault wanted found checkedAt }';

/** The user's bucket as it is known, or after a look at the store, or after it was told again. */
export async function bucketState(
  asked: Asked,
  name: string,
  way: 'read' | 'check' | 'restore' = 'read',
): Promise<Json> {
  if (way === 'read') {
    const { data } = await asUser(asked, `{ buckets { ${BUCKET} } }`);
    return data.buckets.find((bucket: Json) => bucket.name === name)?.policy;
  }
  const field = way === 'check' ? 'checkBucketPolicy' : 'restoreBucketPolicy';
  const { data, errors } = await asUser(asked, `mutation ($name: String!) { ${field}(name: $name) { ${BUCKET} } }`, {
    name,
  });
  if (errors) throw new Error(JSON.stringify(errors));
  return data[field].policy;
}
