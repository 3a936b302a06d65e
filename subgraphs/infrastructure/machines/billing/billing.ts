import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, Decimal } from '../../../../kernel/scalars.js';

const BILLING_STATES = ['waiting', 'charging', 'low', 'stopped', 'empty', 'ended'] as const;
export type BillingState = (typeof BILLING_STATES)[number];

/** GraphQL enum whose names equal its values. */
export const BillingStateEnum = Object.fromEntries(BILLING_STATES.map((state) => [state, state]));

registerEnumType(BillingStateEnum, {
  name: 'VmBillingState',
  description:
    '`waiting`: not running yet; `charging`: costs credits; `low`: credits last for less time than the warning threshold; `stopped`: costs nothing; `empty`: stopped because credits ran out; `ended`: terminated or failed.',
});

@ObjectType({
  description:
    'Cost of a virtual machine. It is charged by the second while it runs, and while it is stopped if its flavor has a price for stopped machines.',
  simpleResolvers: true,
})
export class VmBilling {
  @Field(() => BillingStateEnum, { description: 'Whether it costs credits now.' })
  state!: BillingState;

  @Field(() => Decimal, { description: 'Price of an hour of running, in credits, fixed when the machine was created.' })
  creditsPerHour!: string;

  @Field(() => Decimal, {
    description:
      'Price of an hour while stopped, in credits, fixed when the machine was created; 0: free. Charged from the stop until the machine runs again.',
  })
  stoppedCreditsPerHour!: string;

  @Field(() => Decimal, {
    description: 'Credits charged so far, settled every minute: running and stopped seconds, each at its price.',
  })
  chargedSoFar!: string;

  @Field(() => Int, { description: 'Seconds it has run, rounded down.' })
  ranSeconds!: number;

  @Field(() => Int, {
    description: 'Seconds it was stopped at a price, rounded down. Unpaid seconds are not counted.',
  })
  stoppedSeconds!: number;

  @Field(() => Int, {
    description: 'You receive a warning when your credits pay for fewer minutes than this of all your machines.',
  })
  warningMinutes!: number;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When your credits run out if all your machines continue as now; null while this machine costs nothing or when that time is too far ahead.',
  })
  emptyAt!: Date | null;
}
