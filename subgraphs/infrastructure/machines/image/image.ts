import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'An operating system image for virtual machines.', simpleResolvers: true })
export class VmImage {
  @Field(() => Int, { description: 'Unique id. Never changes and is never reused.' })
  @PrimaryKey({ type: 'integer', generated: 'identity' })
  id!: Opt<number>;

  @Field(() => String, {
    description: 'Display name, unique. Begins with the distribution, by which clients group images.',
  })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { description: 'Unique: lower-case letters, digits and dashes.' })
  @Property({ type: 'text' })
  slug!: string;

  @Field(() => String, { description: 'Description of its content.' })
  @Property({ type: 'text' })
  description!: string;
}

@Entity({ tableName: 'vm_image' })
export class VmImageRow extends VmImage {
  @Property({ type: 'datetime', nullable: true }) retiredAt!: Date | null;
}

/** The columns of an image in GraphQL. */
export const IMAGE_COLUMNS = ['id', 'name', 'slug', 'description'] as const;
