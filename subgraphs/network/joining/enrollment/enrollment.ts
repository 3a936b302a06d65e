import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

export const SETUP_KEY_STATES = ['valid', 'used', 'expired', 'revoked'] as const;
export type SetupKeyState = (typeof SETUP_KEY_STATES)[number];

export const SetupKeyStateEnum = Object.fromEntries(SETUP_KEY_STATES.map((state) => [state, state]));

registerEnumType(SetupKeyStateEnum, { name: 'SetupKeyState', description: 'The state of a setup key.' });

@ObjectType({ description: 'A key with which one machine can join a private network once.', simpleResolvers: true })
export class SetupKey {
  @Field(() => Int, { description: 'Id of the setup key; never changes.' })
  id!: number;

  @Field(() => String, { description: 'The label given to its peer at enrollment.' })
  name!: string;

  @Field(() => String, {
    description: 'The last characters of the key. The whole key is shown only when it is created.',
  })
  key!: string;

  @Field(() => String, { description: 'Always `one-off`.' })
  type!: string;

  @Field(() => SetupKeyStateEnum, {
    description: '`valid` until it is `used`, `revoked` or, 24 hours after its creation, `expired`.',
  })
  state!: SetupKeyState;

  @Field(() => Boolean, { description: 'Whether a machine can join with the key.' })
  valid!: boolean;

  @Field(() => Int, { description: 'How often it was used: 0 or 1.' })
  usedTimes!: number;

  @Field(() => Boolean, { description: 'Whether it was revoked, or its peer was deleted, before it was used.' })
  revoked!: boolean;

  @Field(() => DateTime, { description: 'When it expires if unused.' })
  expiresAt!: Date;

  @Field(() => [Int], { description: 'The groups given at enrollment that still exist.' })
  autoGroups!: number[];

  @Field(() => Int, { nullable: true, description: 'The peer of the key; null after the peer is deleted.' })
  peer!: number | null;

  @Field(() => String, { nullable: true, description: 'The order ticket of the VM, as given at enrollment.' })
  vmTicketRef!: string | null;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date;
}

@ObjectType({
  description: 'A new setup key. The key and the command are shown only once.',
  simpleResolvers: true,
})
export class Enrollment {
  @Field(() => Int, { description: 'Id of the setup key.' })
  id!: number;

  @Field(() => Int, { description: 'The peer that the machine will join as.' })
  peer!: number;

  @Field(() => String, { description: 'The label of the peer.' })
  name!: string;

  @Field(() => Int, { description: 'The group given, or the default one.' })
  group!: number;

  @Field(() => String, { description: 'The setup key, for one machine. It cannot be read again.' })
  setupKey!: string;

  @Field(() => String, { description: 'One command line to run as root on the machine.' })
  joinCommand!: string;

  @Field(() => DateTime, { description: 'When the key expires if unused.' })
  expiresAt!: Date;

  @Field(() => SetupKeyStateEnum, { description: 'Always `valid`.' })
  state!: SetupKeyState;

  @Field(() => String, { nullable: true, description: 'The order ticket of the VM, as given at enrollment.' })
  vmTicketRef!: string | null;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date;
}
