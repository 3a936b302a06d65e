import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Directive, Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, Decimal } from '../../../../kernel/scalars/scalars.js';

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
  id!: Opt<string>;

  @Field(() => Int, { description: 'The user who owns the credits.' })
  userId!: number;

  @Field(() => Decimal, { description: 'Credits reserved initially.' })
  @Property({ type: 'numeric', precision: 38, scale: 18 })
  credits!: string;

  @Field(() => Decimal, { description: 'Credits spent so far.' })
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 })
  settled!: Opt<string>;

  @Field(() => Decimal, { description: 'Credits still reserved.' })
  @Property({ type: 'numeric', precision: 38, scale: 18 })
  remaining!: string;

  @Field(() => HoldStateEnum, { description: 'State of the hold.' })
  @Property({ type: 'text', defaultRaw: `'open'::text` })
  state!: Opt<HoldState>;

  @Field(() => DateTime, { description: 'When the remaining credits are released automatically.' })
  @Property({ type: 'datetime' })
  expiresAt!: Date;
}

@Entity({ tableName: 'hold' })
export class HoldRow extends CreditHold {
  @PrimaryKey({ type: 'integer', autoincrement: false }) override userId!: number;
  @PrimaryKey({ type: 'uuid', defaultRaw: `gen_random_uuid()` }) override id!: Opt<string>;
  @Property({ type: 'text' }) source!: string;
  @Property({ type: 'text' }) reference!: string;
  @Property({ type: 'text' }) reason!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime', nullable: true }) closedAt!: Date | null;
}
