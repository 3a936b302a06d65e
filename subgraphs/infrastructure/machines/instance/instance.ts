import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { sql } from 'kysely';
import { Directive, Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

/** States of a virtual machine. */
const INSTANCE_STATES = [
  'pending',
  'spawning',
  'running',
  'stopping',
  'stopped',
  'starting',
  'rebooting',
  'terminating',
  'terminated',
  'failed',
] as const;
export type InstanceState = (typeof INSTANCE_STATES)[number];

const DESIRED_STATES = ['running', 'stopped', 'terminated'] as const;
export type DesiredState = (typeof DESIRED_STATES)[number];

/** Health of an application: `waiting` until it responds for the first time. */
const APPLICATION_HEALTH = ['waiting', 'healthy', 'unhealthy'] as const;
export type ApplicationHealth = (typeof APPLICATION_HEALTH)[number];
const ApplicationHealthEnum = Object.fromEntries(APPLICATION_HEALTH.map((health) => [health, health]));

/** GraphQL enums whose names equal their values. */
export const InstanceStateEnum = Object.fromEntries(INSTANCE_STATES.map((state) => [state, state]));
export const DesiredStateEnum = Object.fromEntries(DESIRED_STATES.map((state) => [state, state]));

registerEnumType(InstanceStateEnum, {
  name: 'VmInstanceState',
  description:
    'Lifecycle state of a virtual machine. Start requires `stopped`; stop and reboot require `running`; `terminated` is final; a `failed` machine can only be terminated, and becomes `stopped` if its host has it after all.',
});
registerEnumType(ApplicationHealthEnum, {
  name: 'VmApplicationHealth',
  description: 'Health of the application of a machine: `waiting` until it first answers.',
});
registerEnumType(DesiredStateEnum, {
  name: 'VmWantedState',
  description: 'The state that the owner last requested for a machine.',
});

@ObjectType({ description: 'The size of a machine, fixed when it was created.', simpleResolvers: true })
export class VmInstanceFlavor {
  @Field(() => Int, { description: 'Id of its flavor.' })
  id!: number;

  @Field(() => String, { description: 'Name of the flavor.' })
  name!: string;

  @Field(() => Int, { description: 'Virtual CPUs.' })
  cpuCores!: number;

  @Field(() => Int, { description: 'Memory in MiB.' })
  memoryMb!: number;

  @Field(() => Int, { description: 'Disk size in GiB.' })
  diskGb!: number;
}

@Directive('@key(fields: "uuid")')
@ObjectType({ description: 'A virtual machine.', simpleResolvers: true })
export class VmInstance {
  @Field(() => Int, { description: 'Unique id. Never changes and is never reused.' })
  id!: number;

  /** Its owner. */
  userId!: number;

  @Field(() => String, { description: 'Uuid. Accepted in place of the id.' })
  uuid!: string;

  @Field(() => String, { description: 'Its host name.' })
  name!: string;

  @Field(() => InstanceStateEnum, { description: 'Current lifecycle state.' })
  status!: InstanceState;

  @Field(() => DesiredStateEnum, { description: 'The state you last requested.' })
  wantedState!: DesiredState;

  @Field(() => Int, { description: 'Id of its flavor.' })
  flavorId!: number;

  @Field(() => String, { description: 'Name of its flavor.' })
  flavorName!: string;

  @Field(() => VmInstanceFlavor, { description: 'Its size.' })
  flavor!: VmInstanceFlavor;

  @Field(() => Int, { description: 'Id of its image.' })
  imageId!: number;

  @Field(() => String, { description: 'Name of its image.' })
  imageName!: string;

  @Field(() => String, { nullable: true, description: 'Name of its application, if any.' })
  application!: string | null;

  @Field(() => ApplicationHealthEnum, {
    nullable: true,
    description:
      'Health of that application, checked every minute; null if it has no health check or the machine does not run.',
  })
  applicationHealth!: ApplicationHealth | null;

  @Field(() => String, { description: 'SSH public key of the user who may sign in.' })
  sshPublicKey!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Why it failed, why the platform stopped it, or why it could not be started or rebooted.',
  })
  errorMessage!: string | null;

  @Field(() => String, { nullable: true, description: 'Public IP address; null until it has one.' })
  publicIp!: string | null;

  @Field(() => Int, {
    description: 'SSH port at that address, usually 22. The user name is `cloud`.',
  })
  sshPort!: number;

  @Field(() => String, { nullable: true, description: 'IP address in the overlay network; null until it has one.' })
  nebulaIp!: string | null;

  @Field(() => [String], { description: 'All its addresses.' })
  ipAddresses!: string[];

  @Field(() => Int, { description: 'Increases with each visible change.' })
  revision!: number;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: Date;
}

@Entity({ tableName: 'vm_instance' })
export class VmInstanceRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'integer', generated: 'by default as identity', autoincrement: true }) id!: Opt<number>;
  @Property({ type: 'uuid' }) uuid!: string;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'integer' }) flavorId!: number;
  @Property({ type: 'integer' }) imageId!: number;
  @Property({ type: 'integer', nullable: true }) applicationId!: number | null;
  @Property({ type: 'text' }) flavorName!: string;
  @Property({ type: 'integer' }) cpuCores!: number;
  @Property({ type: 'integer' }) memoryMb!: number;
  @Property({ type: 'integer' }) diskGb!: number;
  @Property({ type: 'text' }) imageName!: string;
  @Property({ type: 'text' }) sshPublicKey!: string;
  @Property({ type: 'text', defaultRaw: `'running'::text` }) wantedState!: Opt<DesiredState>;
  @Property({ type: 'text', defaultRaw: `'pending'::text` }) state!: Opt<InstanceState>;
  @Property({ type: 'text', nullable: true }) errorMessage!: string | null;
  @Property({ type: 'text', nullable: true }) publicIp!: string | null;
  @Property({ type: 'text', nullable: true }) overlayIp!: string | null;
  @Property({ type: 'text', nullable: true }) providerRef!: string | null;
  @Property({ type: 'integer', default: 0 }) attempts!: Opt<number>;
  @Property({ type: 'integer', default: 1 }) revision!: Opt<number>;
  @Property({ type: 'text', nullable: true }) idempotencyKey!: string | null;
  @Property({ type: 'text' }) requestHash!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime' }) updatedAt!: Date;
  @Property({ type: 'integer', nullable: true }) sshPort!: number | null;
  @Property({ type: 'boolean', default: false }) joinsNetwork!: Opt<boolean>;
  @Property({ type: 'text', nullable: true }) applicationHealth!: ApplicationHealth | null;
  @Property({ type: 'datetime', nullable: true }) attemptedAt!: Date | null;
}

/** The columns of a machine in GraphQL. */
export const INSTANCE_COLUMNS = [
  'i.id',
  'i.userId',
  'i.uuid',
  'i.name',
  'i.state as status',
  'i.wantedState',
  'i.flavorId',
  'i.flavorName',
  'i.imageId',
  'i.imageName',
  'i.sshPublicKey',
  'i.errorMessage',
  'i.publicIp',
  'i.overlayIp as nebulaIp',
  'i.revision',
  'i.createdAt',
  'i.updatedAt',
  sql<VmInstanceFlavor>`json_build_object('id', i.flavor_id, 'name', i.flavor_name, 'cpuCores', i.cpu_cores,
    'memoryMb', i.memory_mb, 'diskGb', i.disk_gb)`.as('flavor'),
  sql<string | null>`(SELECT a.name FROM infrastructure.vm_application a WHERE a.id = i.application_id)`.as(
    'application',
  ),
  sql<ApplicationHealth | null>`CASE i.state WHEN 'running' THEN (SELECT coalesce(i.application_health, 'waiting')
    FROM infrastructure.vm_application a WHERE a.id = i.application_id AND a.probe_port IS NOT NULL) END`.as(
    'applicationHealth',
  ),
  sql<number>`coalesce(i.ssh_port, 22)`.as('sshPort'),
  sql<string[]>`array_remove(ARRAY[i.public_ip, i.overlay_ip], NULL)`.as('ipAddresses'),
] as const;
