export const SUB_TOKEN_ACTIONS = ['read', 'write'] as const;
export type SubTokenAction = (typeof SUB_TOKEN_ACTIONS)[number];

export const SUB_TOKEN_STATUSES = ['active', 'revoked', 'expired', 'disabled'] as const;
export type SubTokenStatus = (typeof SUB_TOKEN_STATUSES)[number];

export const SUB_TOKEN_SCOPES = ['single_bucket', 'all_buckets'] as const;
export type SubTokenScope = (typeof SUB_TOKEN_SCOPES)[number];

/** A sub-token as stored. Its status is not stored: it depends on the time and on its parents. */
export interface Grant {
  id: number;
  name: string;
  accessKeyId: string;
  lastFour: string;
  parentId: number | null;
  scopeType: SubTokenScope;
  bucketNames: string[];
  actions: SubTokenAction[];
  allowedPrefixes: string[];
  ipAllowlist: string[];
  notBefore: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
}
