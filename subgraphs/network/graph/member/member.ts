import { Entity, PrimaryKey } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';

export const MEMBER_ACTIONS = ['add', 'remove'] as const;
export type MemberAction = (typeof MEMBER_ACTIONS)[number];

export const MemberActionEnum = Object.fromEntries(MEMBER_ACTIONS.map((action) => [action, action]));

registerEnumType(MemberActionEnum, { name: 'MemberAction', description: 'How to change the membership of a peer.' });

@ObjectType({ description: 'The result of a membership change.', simpleResolvers: true })
export class MemberChange {
  @Field(() => Int, { description: 'The group.' })
  groupId!: number;

  @Field(() => Int, { description: 'The peer.' })
  peerId!: number;

  @Field(() => MemberActionEnum, { description: 'The action that was taken.' })
  action!: MemberAction;
}

@Entity({ tableName: 'member' })
export class MemberRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'integer', autoincrement: false }) groupId!: number;
  @PrimaryKey({ type: 'integer', autoincrement: false }) peerId!: number;
}
