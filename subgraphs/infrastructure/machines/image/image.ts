import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'An operating system that a virtual machine can start with.', simpleResolvers: true })
export class VmImage {
  @Field(() => Int, { description: 'Never changes, never used again.' })
  id!: number;

  @Field(() => String, { description: 'Unique; begins with the distribution, by which clients group images.' })
  name!: string;

  @Field(() => String, { description: 'Unique: lower-case letters, digits and dashes.' })
  slug!: string;

  @Field(() => String, { description: 'What is in it.' })
  description!: string;
}

/** The columns of an image under the names of its fields. */
export const IMAGE_COLUMNS = 'id, name, slug, description';
