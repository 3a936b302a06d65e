import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars/scalars.js';
import {
  SUB_TOKEN_ACTIONS,
  SUB_TOKEN_SCOPES,
  SUB_TOKEN_STATUSES,
  type Grant,
  type SubTokenAction,
  type SubTokenScope,
  type SubTokenStatus,
} from '../grant/grant.js';

/** GraphQL enums whose names equal their values. */
export const SubTokenActionEnum = Object.fromEntries(SUB_TOKEN_ACTIONS.map((action) => [action, action]));
export const SubTokenStatusEnum = Object.fromEntries(SUB_TOKEN_STATUSES.map((status) => [status, status]));
export const SubTokenScopeEnum = Object.fromEntries(SUB_TOKEN_SCOPES.map((scope) => [scope, scope]));

registerEnumType(SubTokenActionEnum, {
  name: 'SubTokenAction',
  description: '`read`: get objects and list them; `write`: put and delete them.',
});
registerEnumType(SubTokenStatusEnum, {
  name: 'SubTokenStatus',
  description:
    '`disabled`: it is not valid yet, a parent is no longer valid, or the limits of its parents leave no access.',
});
registerEnumType(SubTokenScopeEnum, {
  name: 'SubTokenScope',
  description:
    'Whether a sub-token applies to the buckets it names, or to all your buckets, including buckets created later.',
});

@ObjectType({ description: 'A new sub-token with its secret, which is returned only once.', simpleResolvers: true })
export class IssuedSubToken {
  @Field(() => Int, { description: 'Unique id. Never changes.' })
  id!: number;

  @Field(() => String, { description: 'The name you gave it.' })
  name!: string;

  @Field(() => String, { description: 'Access key id for the object store (S3).' })
  accessKeyId!: string;

  @Field(() => String, { description: 'Shown only in this response; it cannot be read again.' })
  secret!: string;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date;
}

@ObjectType({
  description:
    'An access key that gives another person or program limited access to your buckets. It has no time of last use: requests with it go to the object store, not to the platform.',
  simpleResolvers: true,
})
export class SubToken implements Grant {
  @Field(() => Int, { description: 'Unique id. Never changes.' })
  id!: number;

  @Field(() => String, { description: 'The name you gave it.' })
  name!: string;

  @Field(() => String, { description: 'Access key id for the object store (S3).' })
  accessKeyId!: string;

  @Field(() => String, { description: 'Last four characters of the secret.' })
  lastFour!: string;

  @Field(() => SubTokenStatusEnum, { description: 'Current status.' })
  status!: SubTokenStatus;

  @Field(() => Int, {
    nullable: true,
    description: 'Parent sub-token, if any. A sub-token never has more access than its parent.',
  })
  parentId!: number | null;

  @Field(() => SubTokenScopeEnum, { description: 'Which buckets it applies to.' })
  scopeType!: SubTokenScope;

  @Field(() => [String], { description: 'Names of the buckets it applies to. Empty when it applies to all buckets.' })
  bucketNames!: string[];

  @Field(() => [SubTokenActionEnum], { description: 'Allowed actions, before the limits of its parents are applied.' })
  actions!: SubTokenAction[];

  @Field(() => [String], { description: 'Allowed key prefixes. Empty: every key.' })
  allowedPrefixes!: string[];

  @Field(() => [String], { description: 'Networks (CIDR) from which it may be used. Empty: any address.' })
  ipAllowlist!: string[];

  @Field(() => DateTime, { nullable: true, description: 'Start of validity; null: valid from its creation.' })
  notBefore!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'End of validity; null: it does not expire.' })
  expiresAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When it was revoked.' })
  revokedAt!: Date | null;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date;
}
