import { Field, Float, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A size of virtual machine with its price.', simpleResolvers: true })
export class VmFlavor {
  @Field(() => Int, { description: 'Unique id. Never changes and is never reused.' })
  id!: number;

  @Field(() => String, { description: 'Unique: lower-case letters, digits and dashes.' })
  name!: string;

  @Field(() => String, { description: 'Display name.' })
  displayName!: string;

  @Field(() => Int, { description: 'Virtual CPUs.' })
  cpuCores!: number;

  @Field(() => Int, { description: 'Memory in MiB.' })
  memoryMb!: number;

  @Field(() => Int, { description: 'Disk size in GiB.' })
  dataDiskGb!: number;

  /** Exact here; the scalar makes it the JSON number that the platform document shows. */
  @Field(() => Float, { description: 'Price of an hour of running, in credits.' })
  creditsPerHour!: string;

  @Field(() => Float, { description: 'Price of an hour while stopped, in credits; 0: free.' })
  stoppedCreditsPerHour!: string;

  @Field(() => String, { nullable: true, description: 'Description of its use.' })
  description!: string | null;

  @Field(() => Boolean, { description: 'Whether new machines can use it; false once it is retired.' })
  enabled!: boolean;
}

/** The columns of a flavor under the names of its fields. */
export const FLAVOR_COLUMNS = `id, name, display_name AS "displayName", cpu_cores AS "cpuCores", memory_mb AS "memoryMb",
  data_disk_gb AS "dataDiskGb", trim_scale(credits_per_hour)::text AS "creditsPerHour", description, retired_at IS NULL AS enabled,
  trim_scale(stopped_credits_per_hour)::text AS "stoppedCreditsPerHour"`;
