import { Field, Float, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A size of virtual machine and what it costs.', simpleResolvers: true })
export class VmFlavor {
  @Field(() => Int, { description: 'Never changes, never used again.' })
  id!: number;

  @Field(() => String, { description: 'Unique: lower-case letters, digits and dashes.' })
  name!: string;

  @Field(() => String, { description: 'The name for people.' })
  displayName!: string;

  @Field(() => Int, { description: 'Virtual CPUs.' })
  cpuCores!: number;

  @Field(() => Int, { description: 'Memory in MiB.' })
  memoryMb!: number;

  @Field(() => Int, { description: 'Disk in GiB.' })
  dataDiskGb!: number;

  /** Exact here; the scalar makes it the JSON number that the platform document shows. */
  @Field(() => Float, { description: 'Credits for an hour of running, as a number.' })
  creditsPerHour!: string;

  @Field(() => Float, { description: 'Credits for an hour of being stopped, as a number; 0: it costs nothing then.' })
  stoppedCreditsPerHour!: string;

  @Field(() => String, { nullable: true, description: 'What it is good for.' })
  description!: string | null;

  @Field(() => Boolean, { description: 'Whether new machines may have it: false once it is retired.' })
  enabled!: boolean;
}

/** The columns of a flavor under the names of its fields. */
export const FLAVOR_COLUMNS = `id, name, display_name AS "displayName", cpu_cores AS "cpuCores", memory_mb AS "memoryMb",
  data_disk_gb AS "dataDiskGb", trim_scale(credits_per_hour)::text AS "creditsPerHour", description, retired_at IS NULL AS enabled,
  trim_scale(stopped_credits_per_hour)::text AS "stoppedCreditsPerHour"`;
