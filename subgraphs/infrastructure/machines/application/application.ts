import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({
  description: 'Software that is installed on a virtual machine at its first boot.',
  simpleResolvers: true,
})
export class VmApplication {
  @Field(() => Int, { description: 'Unique id. Never changes and is never reused.' })
  id!: number;

  @Field(() => String, { description: 'Display name, unique.' })
  name!: string;

  @Field(() => String, { description: 'Unique: lower-case letters, digits and dashes.' })
  slug!: string;

  @Field(() => String, { description: 'Description of what it does.' })
  description!: string;

  /** Absolute URL, or a path on the platform. */
  logoUrl!: string | null;

  /** Shown to administrators only. */
  userData!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'TCP port of the health check; null: no health check.',
  })
  probePort!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'HTTP path of the health check; a status of 200 to 399 is healthy. Null: a TCP connection is enough.',
  })
  probePath!: string | null;
}

/** The columns of an application under the names of its fields. */
export const APPLICATION_COLUMNS = `id, name, slug, description, logo_url AS "logoUrl", user_data AS "userData",
  probe_port AS "probePort", probe_path AS "probePath"`;
