import { Directive, Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, Decimal } from '../../../../kernel/scalars.js';

/** State of a hold. */
const HOLD_STATES = ['open', 'settled', 'released', 'expired'] as const;
export type HoldState = (typeof HOLD_STATES)[number];

export const HoldStateEnum = Object.fromEntries(HOLD_STATES.map((state) => [state, state]));

registerEnumType(HoldStateEnum, {
  name: 'CreditHoldState',
  description: '`open` while credits remain; then `settled` (all spent), `released` (the rest released) or `expired`.',
});

@Directive('@inaccessible')
@ObjectType({ description: 'Credits of a user that are reserved for a running operation.', simpleResolvers: true })
export class CreditHold {
  @Field(() => String, { description: 'Id of the hold; never reused.' })
  id!: string;

  @Field(() => Int, { description: 'The user who owns the credits.' })
  userId!: number;

  @Field(() => Decimal, { description: 'Credits reserved initially.' })
  credits!: string;

  @Field(() => Decimal, { description: 'Credits spent so far.' })
  settled!: string;

  @Field(() => Decimal, { description: 'Credits still reserved.' })
  remaining!: string;

  @Field(() => HoldStateEnum, { description: 'State of the hold.' })
  state!: HoldState;

  @Field(() => DateTime, { description: 'When the remaining credits are released automatically.' })
  expiresAt!: Date;
}
