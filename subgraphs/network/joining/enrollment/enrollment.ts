import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

export const SETUP_KEY_STATES = ['valid', 'used', 'expired', 'revoked'] as const;
export type SetupKeyState = (typeof SETUP_KEY_STATES)[number];

export const SetupKeyStateEnum = Object.fromEntries(SETUP_KEY_STATES.map((state) => [state, state]));

registerEnumType(SetupKeyStateEnum, { name: 'SetupKeyState', description: 'What a setup key is still good for.' });

@ObjectType({ description: 'A key with which one machine joins a private network, once.', simpleResolvers: true })
export class SetupKey {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => String, { description: 'The label that its peer was enrolled with.' })
  name!: string;

  @Field(() => String, { description: 'Its last characters; the key itself is shown once, when it is made.' })
  key!: string;

  @Field(() => String, { description: '`one-off`.' })
  type!: string;

  @Field(() => SetupKeyStateEnum, {
    description: '`valid` until it is `used`, `revoked` or, 24 hours after it was made, `expired`.',
  })
  state!: SetupKeyState;

  @Field(() => Boolean, { description: 'Whether a machine can join with it.' })
  valid!: boolean;

  @Field(() => Int, { description: '0 or 1.' })
  usedTimes!: number;

  @Field(() => Boolean, { description: 'Whether it was revoked before it was used.' })
  revoked!: boolean;

  @Field(() => DateTime, { description: 'When it ends unused.' })
  expiresAt!: Date;

  @Field(() => [Int], { description: 'The groups that its peer was put into, as far as there are any still.' })
  autoGroups!: number[];

  @Field(() => Int, { nullable: true, description: 'Its peer; null once that is deleted.' })
  peer!: number | null;

  @Field(() => String, { nullable: true, description: 'The order ticket of the VM, as it was given.' })
  vmTicketRef!: string | null;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;
}

@ObjectType({
  description: 'A setup key as it is made: the key and the command are shown this once.',
  simpleResolvers: true,
})
export class Enrollment {
  @Field(() => Int, { description: 'Of the setup key.' })
  id!: number;

  @Field(() => Int, { description: 'The peer that waits for its machine.' })
  peer!: number;

  @Field(() => String, { description: 'The label of the peer.' })
  name!: string;

  @Field(() => Int, { description: 'The group it begins in.' })
  group!: number;

  @Field(() => String, { description: 'Good for one machine; cannot be read again.' })
  setupKey!: string;

  @Field(() => String, { description: 'One line to run as root on the machine.' })
  joinCommand!: string;

  @Field(() => DateTime, { description: 'When the key ends unused.' })
  expiresAt!: Date;

  @Field(() => SetupKeyStateEnum, { description: '`valid`.' })
  state!: SetupKeyState;

  @Field(() => String, { nullable: true, description: 'The order ticket of the VM, as it was given.' })
  vmTicketRef!: string | null;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;
}
