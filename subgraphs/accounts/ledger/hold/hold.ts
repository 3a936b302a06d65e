import { Directive, Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, Decimal } from '../../../../kernel/scalars.js';

/** What became of a hold. */
const HOLD_STATES = ['open', 'settled', 'released', 'expired'] as const;
export type HoldState = (typeof HOLD_STATES)[number];

export const HoldStateEnum = Object.fromEntries(HOLD_STATES.map((state) => [state, state]));

registerEnumType(HoldStateEnum, {
  name: 'CreditHoldState',
  description:
    '`open` until nothing remains: all of it spent (`settled`), the rest given back (`released`), or time ran out (`expired`).',
});

@Directive('@inaccessible')
@ObjectType({ description: 'Credits of a user set aside for something under way.', simpleResolvers: true })
export class CreditHold {
  @Field(() => String, { description: 'Never used again.' })
  id!: string;

  @Field(() => Int, { description: 'Whose credits are held.' })
  userId!: number;

  @Field(() => Decimal, { description: 'Credits set aside at first.' })
  credits!: string;

  @Field(() => Decimal, { description: 'Of them, spent so far.' })
  settled!: string;

  @Field(() => Decimal, { description: 'Of them, still set aside.' })
  remaining!: string;

  @Field(() => HoldStateEnum, { description: 'What became of it.' })
  state!: HoldState;

  @Field(() => DateTime, { description: 'When what remains is given back by itself.' })
  expiresAt!: Date;
}
