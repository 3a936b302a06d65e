import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, Decimal } from '../../../../kernel/scalars.js';

const BILLING_STATES = ['waiting', 'charging', 'low', 'stopped', 'empty', 'ended'] as const;
export type BillingState = (typeof BILLING_STATES)[number];

/** The states as a GraphQL enum whose names are its values. */
export const BillingStateEnum = Object.fromEntries(BILLING_STATES.map((state) => [state, state]));

registerEnumType(BillingStateEnum, {
  name: 'VmBillingState',
  description:
    '`waiting` to run, `charging`, `low` when credits last shorter than the warning asks for, `stopped` at no cost, `empty`: stopped, and credits ran out, `ended` for ever.',
});

@ObjectType({
  description:
    'What a machine costs: by the second while it runs, and while it is stopped where its flavor had a price for that.',
  simpleResolvers: true,
})
export class VmBilling {
  @Field(() => BillingStateEnum, { description: 'Whether it costs credits just now.' })
  state!: BillingState;

  @Field(() => Decimal, { description: 'Credits for an hour of running, as at the spawn.' })
  creditsPerHour!: string;

  @Field(() => Decimal, {
    description:
      'Credits for an hour of being stopped, as at the spawn; 0: it costs nothing then. It counts from a stop until the machine runs again.',
  })
  stoppedCreditsPerHour!: string;

  @Field(() => Decimal, {
    description: 'Credits charged so far, settled each minute: seconds run and seconds stopped, each at its price.',
  })
  chargedSoFar!: string;

  @Field(() => Int, { description: 'Whole seconds it has run.' })
  ranSeconds!: number;

  @Field(() => Int, {
    description: 'Whole seconds it was stopped at a price; those that nothing paid for are not counted.',
  })
  stoppedSeconds!: number;

  @Field(() => Int, { description: 'You are warned when credits last for fewer minutes of all your machines.' })
  warningMinutes!: number;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When your credits end if all machines that cost any go on as they are; null while this one costs nothing, or where no end is in sight.',
  })
  emptyAt!: Date | null;
}
