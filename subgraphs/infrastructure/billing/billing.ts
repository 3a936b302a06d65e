import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, Decimal } from '../../../kernel/scalars.js';

const BILLING_STATES = ['waiting', 'charging', 'low', 'stopped', 'empty', 'ended'] as const;
export type BillingState = (typeof BILLING_STATES)[number];

/** The states as a GraphQL enum whose names are its values. */
export const BillingStateEnum = Object.fromEntries(BILLING_STATES.map((state) => [state, state]));

registerEnumType(BillingStateEnum, {
  name: 'VmBillingState',
  description:
    '`waiting` to run, `charging`, `low` when credits last shorter than the warning asks for, `stopped` at no cost, `empty`: stopped as credits ran out, `ended` for ever.',
});

@ObjectType({ description: 'What a machine costs: by the second while it runs.', simpleResolvers: true })
export class VmBilling {
  @Field(() => BillingStateEnum, { description: 'Whether it costs credits just now.' })
  state!: BillingState;

  @Field(() => Decimal, { description: 'Credits for an hour of running, as at the spawn.' })
  creditsPerHour!: string;

  @Field(() => Decimal, { description: 'Credits for an hour of being stopped: no flavor has a price for its disk.' })
  stoppedCreditsPerHour!: string;

  @Field(() => Decimal, { description: 'Credits charged so far; settled each minute.' })
  chargedSoFar!: string;

  @Field(() => Int, { description: 'Whole seconds it has run.' })
  ranSeconds!: number;

  @Field(() => Int, { description: 'You are warned when credits last for fewer minutes of all your machines.' })
  warningMinutes!: number;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When your credits end if all machines that run go on; null while this one does not run, or where no end is in sight.',
  })
  emptyAt!: Date | null;
}
