import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';

export const MEMBER_ACTIONS = ['add', 'remove'] as const;
export type MemberAction = (typeof MEMBER_ACTIONS)[number];

export const MemberActionEnum = Object.fromEntries(MEMBER_ACTIONS.map((action) => [action, action]));

registerEnumType(MemberActionEnum, { name: 'MemberAction', description: 'What is done with a peer and a group.' });

@ObjectType({ description: 'What was done with a peer and a group.', simpleResolvers: true })
export class MemberChange {
  @Field(() => Int, { description: 'The group.' })
  groupId!: number;

  @Field(() => Int, { description: 'The peer.' })
  peerId!: number;

  @Field(() => MemberActionEnum, { description: 'Whether it is in the group now or not.' })
  action!: MemberAction;
}
