import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'An operating system image for virtual machines.', simpleResolvers: true })
export class VmImage {
  @Field(() => Int, { description: 'Unique id. Never changes and is never reused.' })
  id!: number;

  @Field(() => String, {
    description: 'Display name, unique. Begins with the distribution, by which clients group images.',
  })
  name!: string;

  @Field(() => String, { description: 'Unique: lower-case letters, digits and dashes.' })
  slug!: string;

  @Field(() => String, { description: 'Description of its content.' })
  description!: string;
}

/** The columns of an image under the names of its fields. */
export const IMAGE_COLUMNS = 'id, name, slug, description';
