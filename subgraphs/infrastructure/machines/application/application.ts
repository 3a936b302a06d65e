import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({
  description: 'Software that is installed on a virtual machine at its first boot.',
  simpleResolvers: true,
})
export class VmApplication {
  @Field(() => Int, { description: 'Unique id. Never changes and is never reused.' })
  @PrimaryKey({ type: 'integer', generated: 'identity' })
  id!: Opt<number>;

  @Field(() => String, { description: 'Display name, unique.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { description: 'Unique: lower-case letters, digits and dashes.' })
  @Property({ type: 'text' })
  slug!: string;

  @Field(() => String, { description: 'Description of what it does.' })
  @Property({ type: 'text' })
  description!: string;

  /** Absolute URL, or a path on the platform. */
  @Property({ type: 'text', nullable: true })
  logoUrl!: string | null;

  /** Shown to administrators only. */
  @Property({ type: 'text', nullable: true })
  userData!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'TCP port of the health check; null: no health check.',
  })
  @Property({ type: 'integer', nullable: true })
  probePort!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'HTTP path of the health check; a status of 200 to 399 is healthy. Null: a TCP connection is enough.',
  })
  @Property({ type: 'text', nullable: true })
  probePath!: string | null;
}

@Entity({ tableName: 'vm_application' })
export class VmApplicationRow extends VmApplication {
  @Property({ type: 'datetime', nullable: true }) retiredAt!: Date | null;
}

/** The columns of an application in GraphQL. */
export const APPLICATION_COLUMNS = [
  'id',
  'name',
  'slug',
  'description',
  'logoUrl',
  'userData',
  'probePort',
  'probePath',
] as const;
