import { graphql, type ResultOf } from '../../graphql/graphql';

export const STORE = graphql(`
  {
    hasObjectStore
    buckets {
      name
      createdAt
      policy {
        state
        fault
        checkedAt
      }
    }
    subTokens {
      id
      name
      accessKeyId
      lastFour
      status
      parentId
      scopeType
      bucketNames
      actions
      allowedPrefixes
      ipAllowlist
      notBefore
      expiresAt
      createdAt
      revokedAt
    }
  }
`);

export const EXPLAIN = graphql(`
  query ($bucket: String!, $key: String!, $action: SubTokenAction!, $address: String) {
    explainAccess(bucket: $bucket, key: $key, action: $action, address: $address) {
      isAllowed
      reason
      verdicts {
        isAllowed
        reason
        subToken {
          id
          name
          accessKeyId
        }
      }
    }
  }
`);

export const CREATE_BUCKET = graphql('mutation ($name: String!) { createBucket(name: $name) { name } }');
export const DELETE_BUCKET = graphql('mutation ($name: String!) { deleteBucket(name: $name) }');
export const CHECK_BUCKET = graphql('mutation ($name: String!) { checkBucketPolicy(name: $name) { name } }');
export const RESTORE_BUCKET = graphql('mutation ($name: String!) { restoreBucketPolicy(name: $name) { name } }');

export const CREATE_KEY = graphql(`
  mutation (
    $name: String!
    $scope: SubTokenScope!
    $buckets: [String!]
    $actions: [SubTokenAction!]!
    $prefixes: [String!]
    $addresses: [String!]
    $expiresAt: DateTimeISO
    $parent: Int
  ) {
    createSubToken(
      name: $name
      scopeType: $scope
      bucketNames: $buckets
      actions: $actions
      allowedPrefixes: $prefixes
      ipAllowlist: $addresses
      expiresAt: $expiresAt
      parentId: $parent
    ) {
      accessKeyId
      secret
    }
  }
`);

export const REVOKE_KEY = graphql('mutation ($id: Int!) { revokeSubToken(id: $id) { id } }');

export type Store = ResultOf<typeof STORE>;
export type Bucket = Store['buckets'][number];
export type AccessKey = Store['subTokens'][number];
export type Explanation = ResultOf<typeof EXPLAIN>['explainAccess'];
