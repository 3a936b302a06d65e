import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({
  description: 'Software that a virtual machine can start with, set up by one click.',
  simpleResolvers: true,
})
export class VmApplication {
  @Field(() => Int, { description: 'Never changes, never used again.' })
  id!: number;

  @Field(() => String, { description: 'Unique; the name for people.' })
  name!: string;

  @Field(() => String, { description: 'Unique: lower-case letters, digits and dashes.' })
  slug!: string;

  @Field(() => String, { description: 'What it does.' })
  description!: string;

  /** Absolute, or a path of the platform's own. */
  logoUrl!: string | null;

  /** Shown to administrators only. */
  userData!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The TCP port at which it answers when it is well; null: nobody looks.',
  })
  probePort!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The path at that port which HTTP answers with 200 to 399 when it is well; null: a connection will do.',
  })
  probePath!: string | null;
}

/** The columns of an application under the names of its fields. */
export const APPLICATION_COLUMNS = `id, name, slug, description, logo_url AS "logoUrl", user_data AS "userData",
  probe_port AS "probePort", probe_path AS "probePath"`;
