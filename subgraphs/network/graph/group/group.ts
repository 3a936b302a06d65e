import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Directive, Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

@Directive('@key(fields: "id")')
@ObjectType({
  description: 'A set of peers and resources that policies name as source or destination.',
  simpleResolvers: true,
})
export class Group {
  @Field(() => Int, { description: 'Id of the group; never changes.' })
  id!: Opt<number>;

  @Field(() => String, { description: 'Unique in the network: 1 to 50 lower-case letters, digits and dashes.' })
  @Property({ type: 'text' })
  label!: string;

  @Field(() => Boolean, {
    description:
      'Whether this is the default group, which is created with the network and cannot be renamed or deleted.',
  })
  @Property({ type: 'boolean', default: false })
  isDefault!: Opt<boolean>;

  @Field(() => DateTime, { description: 'When it was created.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;
}

@Entity({ tableName: 'group' })
export class GroupRow extends Group {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'integer', generated: 'identity', autoincrement: true }) override id!: Opt<number>;
  /** The group of the platform's own machines, which users cannot see. */
  @Property({ type: 'boolean', default: false }) isInfra!: Opt<boolean>;
}

/** The columns of a group in GraphQL. */
export const GROUP_COLUMNS = ['group.id', 'group.label', 'group.isDefault', 'group.createdAt'] as const;
