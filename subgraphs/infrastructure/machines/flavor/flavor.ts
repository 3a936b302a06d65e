import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { sql } from 'kysely';
import { ArgsType, Field, Float, Int, ObjectType } from 'type-graphql';
import type { Computed } from '../../../../kernel/database/query.js';
import { Decimal } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'A size of virtual machine with its price.', simpleResolvers: true })
export class VmFlavor {
  @Field(() => Int, { description: 'Unique id. Never changes and is never reused.' })
  @PrimaryKey({ type: 'integer', generated: 'identity' })
  id!: Opt<number>;

  @Field(() => String, { description: 'Unique: lower-case letters, digits and dashes.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { description: 'Display name.' })
  @Property({ type: 'text' })
  displayName!: string;

  @Field(() => Int, { description: 'Virtual CPUs.' })
  @Property({ type: 'integer' })
  cpuCores!: number;

  @Field(() => Int, { description: 'Memory in MiB.' })
  @Property({ type: 'integer' })
  memoryMb!: number;

  @Field(() => Int, { description: 'Disk size in GiB.' })
  @Property({ type: 'integer' })
  dataDiskGb!: number;

  /** An exact decimal; the scalar answers it as a JSON number. */
  @Field(() => Float, { description: 'Price of an hour of running, in credits.' })
  @Property({ type: 'numeric', precision: 38, scale: 18 })
  creditsPerHour!: string;

  @Field(() => Float, { description: 'Price of an hour while stopped, in credits; 0: free.' })
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 })
  stoppedCreditsPerHour!: Opt<string>;

  @Field(() => String, { nullable: true, description: 'Description of its use.' })
  @Property({ type: 'text', nullable: true })
  description!: string | null;

  @Field(() => Boolean, { description: 'Whether new machines can use it; false once it is retired.' })
  enabled!: Computed<boolean>;
}

@Entity({ tableName: 'vm_flavor' })
export class VmFlavorRow extends VmFlavor {
  @Property({ type: 'datetime', nullable: true }) retiredAt!: Date | null;
}

/** A new flavor, or one that is changed. */
@ArgsType()
export class VmFlavorArgs {
  @Field(() => Int, { nullable: true, description: 'Id of the flavor to change. Omitted: adds a new one.' })
  id?: number | null;

  @Field(() => String, { description: 'Unique: 1 to 50 lower-case letters, digits and dashes.' })
  name!: string;

  @Field(() => String, { description: 'Display name, 1 to 100 characters.' })
  displayName!: string;

  @Field(() => Int, { description: 'Virtual CPUs, 1 to 512.' })
  cpuCores!: number;

  @Field(() => Int, { description: 'Memory in MiB, 128 to 16777216.' })
  memoryMb!: number;

  @Field(() => Int, { description: 'Disk in GiB, 1 to 65536.' })
  dataDiskGb!: number;

  @Field(() => Decimal, { description: 'Price of an hour of running, in credits: above zero, at most 10000.' })
  creditsPerHour!: string;

  @Field(() => Decimal, {
    nullable: true,
    description:
      'Price of an hour while stopped, in credits: zero or more, at most the price of running. Omitted: unchanged, zero for a new flavor. Existing machines keep their price.',
  })
  stoppedCreditsPerHour?: string | null;

  @Field(() => String, { nullable: true, description: 'Description, up to 2000 characters. Omitted: none.' })
  description?: string | null;
}

/** Minimum and maximum of each size. */
export const FLAVOR_SIZES = {
  cpuCores: [1, 512],
  memoryMb: [128, 16_777_216],
  dataDiskGb: [1, 65_536],
} as const satisfies Partial<Record<keyof VmFlavorArgs, readonly [number, number]>>;

/** The columns that are stored as they are given. */
export function givenColumns(args: VmFlavorArgs) {
  const { name, displayName, cpuCores, memoryMb, dataDiskGb, creditsPerHour, description } = args;
  return { name, displayName, cpuCores, memoryMb, dataDiskGb, creditsPerHour, description };
}

/** The columns of a flavor in GraphQL. */
export const FLAVOR_COLUMNS = [
  'id',
  'name',
  'displayName',
  'cpuCores',
  'memoryMb',
  'dataDiskGb',
  'description',
  sql<string>`trim_scale(credits_per_hour)::text`.as('creditsPerHour'),
  sql<string>`trim_scale(stopped_credits_per_hour)::text`.as('stoppedCreditsPerHour'),
  sql<boolean>`retired_at IS NULL`.as('enabled'),
] as const;
