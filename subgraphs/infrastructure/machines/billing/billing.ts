import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, Decimal } from '../../../../kernel/scalars/scalars.js';

const BILLING_STATES = ['waiting', 'charging', 'low', 'stopped', 'empty', 'ended'] as const;
export type BillingState = (typeof BILLING_STATES)[number];

/** GraphQL enum whose names equal its values. */
export const BillingStateEnum = Object.fromEntries(BILLING_STATES.map((state) => [state, state]));

registerEnumType(BillingStateEnum, {
  name: 'VmBillingState',
  description:
    '`waiting`: not running yet, or not seen running; `charging`: costs credits; `low`: credits last for less time than the warning threshold; `stopped`: costs nothing; `empty`: stopped because credits ran out; `ended`: terminated or failed.',
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

@Entity({ tableName: 'vm_billing' })
export class VmBillingRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'integer', autoincrement: false }) instanceId!: number;
  @Property({ type: 'numeric', precision: 38, scale: 18 }) creditsPerHour!: string;
  /** Milliseconds of finished runs. */
  @Property({ type: 'bigint', defaultRaw: `0` }) ranMs!: Opt<string>;
  @Property({ type: 'datetime', nullable: true }) runningSince!: Date | null;
  /** Whether credits must be held. */
  @Property({ type: 'boolean', default: true }) shouldRun!: Opt<boolean>;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 }) charged!: Opt<string>;
  @Property({ type: 'integer', default: 0 }) chargeNumber!: Opt<number>;
  /** A charge in progress; null: none. */
  @Property({ type: 'numeric', precision: 38, scale: 18, nullable: true }) chargeCredits!: string | null;
  @Property({ type: 'boolean', default: false }) chargeIsLast!: Opt<boolean>;
  @Property({ type: 'integer' }) holdNumber!: number;
  @Property({ type: 'text' }) holdState!: 'requested' | 'open' | 'closed';
  @Property({ type: 'numeric', precision: 38, scale: 18 }) holdCredits!: string;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 }) holdSpent!: Opt<string>;
  @Property({ type: 'integer', default: 60 }) warningMinutes!: Opt<number>;
  @Property({ type: 'integer', default: 0 }) warnings!: Opt<number>;
  @Property({ type: 'boolean', default: false }) isWarned!: Opt<boolean>;
  @Property({ type: 'datetime', nullable: true }) emptiedAt!: Date | null;
  /** Price while stopped; 0: free. */
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 }) stoppedCreditsPerHour!: Opt<string>;
  /** Milliseconds of finished periods stopped at a price. */
  @Property({ type: 'bigint', defaultRaw: `0` }) stoppedMs!: Opt<string>;
  /** Null while it is not stopped at a price, and while credits do not cover it. */
  @Property({ type: 'datetime', nullable: true }) stoppedSince!: Date | null;
  /** Whether it is stopped at a price. */
  @Property({ type: 'boolean', default: false }) isKept!: Opt<boolean>;
  /** No hold for the stopped price is placed before this time, because a start is about to hold an hour of running. */
  @Property({ type: 'datetime', nullable: true }) startUntil!: Date | null;
}
