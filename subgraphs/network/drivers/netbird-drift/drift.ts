import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Computed } from '../../../../kernel/database/query.js';
import { DateTime } from '../../../../kernel/scalars/scalars.js';
import type { ObjectKind } from '../netbird-objects/actual.rules.js';
import { DRIFT_CHANGES, type DriftChange } from '../netbird-objects/plan.rules.js';

const DriftChangeEnum = Object.fromEntries(DRIFT_CHANGES.map((word) => [word, word]));

registerEnumType(DriftChangeEnum, {
  name: 'NetworkDriftKind',
  description: 'How an object of the platform was changed on a NetBird server.',
});

@ObjectType({
  description: 'A difference between the NetBird server and the state the platform wrote.',
  simpleResolvers: true,
})
export class NetworkDrift {
  @Field(() => Int, { description: 'Id of the difference; never changes.' })
  id!: Opt<number>;

  @Field(() => Int, { description: 'The private network of the object.' })
  tenant!: Computed<number>;

  @Field(() => String, {
    description:
      '`group`, `peer` (a NetBird group with one peer), `machine` (a NetBird peer), `network`, `resource`, `router`, `policy` or `key`.',
  })
  @Property({ type: 'text' })
  kind!: ObjectKind | 'machine';

  @Field(() => Int, {
    nullable: true,
    description: 'The platform’s id of the object; null when the platform does not know it.',
  })
  object!: Computed<number> | null;

  @Field(() => String, { description: 'The NetBird server’s id of the object.' })
  @Property({ type: 'text' })
  externalId!: string;

  @Field(() => DriftChangeEnum, {
    description: '`changed`, `deleted`, or `added` with a name that is reserved for the platform.',
  })
  @Property({ type: 'text' })
  what!: DriftChange;

  @Field(() => DateTime, { description: 'When the difference was detected.' })
  @Property({ type: 'datetime' })
  foundAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When the difference was resolved; null until then.' })
  @Property({ type: 'datetime', nullable: true })
  repairedAt!: Date | null;
}

@Entity({ tableName: 'netbird_drift' })
export class NetbirdDriftRow extends NetworkDrift {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'integer', generated: 'identity', autoincrement: true }) override id!: Opt<number>;
  @Property({ type: 'integer', nullable: true }) objectId!: number | null;
}
