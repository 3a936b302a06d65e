import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';
import {
  SUB_TOKEN_ACTIONS,
  SUB_TOKEN_SCOPES,
  SUB_TOKEN_STATUSES,
  type Grant,
  type SubTokenAction,
  type SubTokenScope,
  type SubTokenStatus,
} from '../grant/grant.js';

/** The words as GraphQL enums whose names are their values. */
export const SubTokenActionEnum = Object.fromEntries(SUB_TOKEN_ACTIONS.map((action) => [action, action]));
export const SubTokenStatusEnum = Object.fromEntries(SUB_TOKEN_STATUSES.map((status) => [status, status]));
export const SubTokenScopeEnum = Object.fromEntries(SUB_TOKEN_SCOPES.map((scope) => [scope, scope]));

registerEnumType(SubTokenActionEnum, {
  name: 'SubTokenAction',
  description: '`read`: get objects and list them; `write`: put and delete them.',
});
registerEnumType(SubTokenStatusEnum, {
  name: 'SubTokenStatus',
  description: '`disabled`: it is not valid yet, or its parent leaves nothing of it.',
});
registerEnumType(SubTokenScopeEnum, {
  name: 'SubTokenScope',
  description: 'Whether a sub-token is for the buckets that it names, or for all of yours, also those to come.',
});

@ObjectType({ description: 'A sub-token as it is shown this once.', simpleResolvers: true })
export class IssuedSubToken {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => String, { description: 'As you called it.' })
  name!: string;

  @Field(() => String, { description: 'By which a store knows it.' })
  accessKeyId!: string;

  @Field(() => String, { description: 'Shown this once; it cannot be read again.' })
  secret!: string;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;
}

@ObjectType({ description: 'Access to buckets of yours that you gave to somebody.', simpleResolvers: true })
export class SubToken implements Grant {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => String, { description: 'As you called it.' })
  name!: string;

  @Field(() => String, { description: 'By which a store knows it.' })
  accessKeyId!: string;

  @Field(() => String, { description: 'The end of its secret.' })
  lastFour!: string;

  @Field(() => SubTokenStatusEnum, { description: 'Whether it can be used now.' })
  status!: SubTokenStatus;

  @Field(() => Int, { nullable: true, description: 'The sub-token that it is cut by: it may never do more than that.' })
  parentId!: number | null;

  @Field(() => SubTokenScopeEnum, { description: 'Which buckets it is for.' })
  scopeType!: SubTokenScope;

  @Field(() => [String], { description: 'The buckets it names; none where it is for all.' })
  bucketNames!: string[];

  @Field(() => [SubTokenActionEnum], { description: 'What it may do, unless its parent may not.' })
  actions!: SubTokenAction[];

  @Field(() => [String], { description: 'What keys must begin with; none: every key.' })
  allowedPrefixes!: string[];

  @Field(() => [String], { description: 'Networks it may be used from; none: from everywhere.' })
  ipAllowlist!: string[];

  @Field(() => DateTime, { nullable: true, description: 'From when it is valid; null: from the start.' })
  notBefore!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Until when it is valid; null: for ever.' })
  expiresAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When it was revoked.' })
  revokedAt!: Date | null;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;
}
