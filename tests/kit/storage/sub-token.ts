import { randomBytes } from 'node:crypto';
import { graphql, platform, type Json } from '../platform.js';

interface RequestOptions {
  readonly token: string;
  readonly url?: string;
}

/** Returns a unique bucket name. */
export function newBucketName(): string {
  return `bucket-${randomBytes(6).toString('hex')}`;
}

/** Executes an operation as the user. Returns `{data, errors}`. */
function asUser({ token, url = platform().url }: RequestOptions, query: string, variables: object = {}): Promise<Json> {
  return graphql(query, { token, url, variables: { ...variables } });
}

export function createBucket(options: RequestOptions, name: string): Promise<Json> {
  return asUser(
    options,
    'mutation ($name: String!) { createBucket(name: $name) { name createdAt policy { state } } }',
    {
      name,
    },
  );
}

export function deleteBucket(options: RequestOptions, name: string): Promise<Json> {
  return asUser(options, 'mutation ($name: String!) { deleteBucket(name: $name) }', { name });
}

/** Creates a bucket. Returns its name. */
export async function bucketOf(options: RequestOptions): Promise<string> {
  const name = newBucketName();
  const { errors } = await createBucket(options, name);
  if (errors) throw new Error(JSON.stringify(errors));
  return name;
}

/** Requests a sub-token: `{name, scopeType, actions, …}`. Returns `{data, errors}`. */
export function askForSubToken(options: RequestOptions, input: object): Promise<Json> {
  return asUser(
    options,
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

/** Creates a sub-token. */
export async function subTokenOf(options: RequestOptions, input: object = {}): Promise<Json> {
  const { data, errors } = await askForSubToken(options, input);
  if (errors) throw new Error(JSON.stringify(errors));
  return data.createSubToken;
}

const RECORD = `id name accessKeyId lastFour status parentId scopeType bucketNames actions allowedPrefixes ipAllowlist notBefore
  expiresAt revokedAt createdAt`;

/** Returns the sub-tokens of the user, newest first. */
export async function subTokensOf(options: RequestOptions): Promise<Json[]> {
  return (await asUser(options, `{ subTokens { ${RECORD} } }`)).data.subTokens;
}

export function revokeSubToken(options: RequestOptions, id: number): Promise<Json> {
  return asUser(options, `mutation ($id: Int!) { revokeSubToken(id: $id) { ${RECORD} } }`, { id });
}

/** Explains access for `{bucket, key, action, address?}`. Returns `{data, errors}`. */
export function explainAccess(options: RequestOptions, attempt: object): Promise<Json> {
  return asUser(
    options,
    `query ($bucket: String!, $key: String!, $action: SubTokenAction!, $address: String) {
       explainAccess(bucket: $bucket, key: $key, action: $action, address: $address) {
         isAllowed reason verdicts { isAllowed reason subToken { id name status } }
       }
     }`,
    attempt,
  );
}

const BUCKET = 'name policy { state fault wanted found checkedAt }';

/** Returns the stored state of a bucket, optionally after a check of the store or a new update. */
export async function bucketState(
  options: RequestOptions,
  name: string,
  way: 'read' | 'check' | 'restore' = 'read',
): Promise<Json> {
  if (way === 'read') {
    const { data } = await asUser(options, `{ buckets { ${BUCKET} } }`);
    return data.buckets.find((bucket: Json) => bucket.name === name)?.policy;
  }
  const field = way === 'check' ? 'checkBucketPolicy' : 'restoreBucketPolicy';
  const { data, errors } = await asUser(options, `mutation ($name: String!) { ${field}(name: $name) { ${BUCKET} } }`, {
    name,
  });
  if (errors) throw new Error(JSON.stringify(errors));
  return data[field].policy;
}
