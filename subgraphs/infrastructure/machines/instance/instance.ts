import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

/** States of a virtual machine. Source: decisions, VM states */
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

const WANTED_STATES = ['running', 'stopped', 'terminated'] as const;
export type WantedState = (typeof WANTED_STATES)[number];

/** How an application is: `waiting` until it answers for the first time. */
const APPLICATION_HEALTH = ['waiting', 'healthy', 'unhealthy'] as const;
export type ApplicationHealth = (typeof APPLICATION_HEALTH)[number];
const ApplicationHealthEnum = Object.fromEntries(APPLICATION_HEALTH.map((health) => [health, health]));

/** The states as GraphQL enums whose names are their values. */
export const InstanceStateEnum = Object.fromEntries(INSTANCE_STATES.map((state) => [state, state]));
export const WantedStateEnum = Object.fromEntries(WANTED_STATES.map((state) => [state, state]));

registerEnumType(InstanceStateEnum, {
  name: 'VmInstanceState',
  description:
    'Where a machine is on its way. Start needs `stopped`, stop and reboot need `running`; `terminated` is for ever, `failed` leaves only terminate.',
});
registerEnumType(ApplicationHealthEnum, {
  name: 'VmApplicationHealth',
  description: 'How the application of a machine is: `waiting` until it answers for the first time.',
});
registerEnumType(WantedStateEnum, { name: 'VmWantedState', description: 'What its owner last asked a machine to be.' });

@ObjectType({ description: 'The size of a machine, as it was when it was spawned.', simpleResolvers: true })
export class VmInstanceFlavor {
  @Field(() => Int, { description: 'The flavor it was spawned with.' })
  id!: number;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => Int, { description: 'Virtual CPUs.' })
  cpuCores!: number;

  @Field(() => Int, { description: 'Memory in MiB.' })
  memoryMb!: number;

  @Field(() => Int, { description: 'Disk in GiB.' })
  diskGb!: number;
}

@ObjectType({ description: 'A virtual machine.', simpleResolvers: true })
export class VmInstance {
  @Field(() => Int, { description: 'Never changes, never used again.' })
  id!: number;

  @Field(() => String, { description: 'The same machine wherever it runs; accepted in place of the id.' })
  uuid!: string;

  @Field(() => String, { description: 'Its host name.' })
  name!: string;

  @Field(() => InstanceStateEnum, { description: 'Where it is on its way.' })
  status!: InstanceState;

  @Field(() => WantedStateEnum, { description: 'What you last asked it to be.' })
  wantedState!: WantedState;

  @Field(() => Int, { description: 'The flavor it was spawned with.' })
  flavorId!: number;

  @Field(() => String, { description: 'The name of its flavor.' })
  flavorName!: string;

  @Field(() => VmInstanceFlavor, { description: 'Its size.' })
  flavor!: VmInstanceFlavor;

  @Field(() => Int, { description: 'The image it was spawned with.' })
  imageId!: number;

  @Field(() => String, { description: 'The name of its image.' })
  imageName!: string;

  @Field(() => String, { nullable: true, description: 'The name of the application it started with.' })
  application!: string | null;

  @Field(() => ApplicationHealthEnum, {
    nullable: true,
    description:
      'Whether that application answers, looked at each minute; null where nobody can tell or it does not run.',
  })
  applicationHealth!: ApplicationHealth | null;

  @Field(() => String, { description: 'Who holds its other half may sign in.' })
  sshPublicKey!: string;

  @Field(() => String, { nullable: true, description: 'Why it failed, or was stopped without being asked.' })
  errorMessage!: string | null;

  @Field(() => String, { nullable: true, description: 'Its public address; null until it has one.' })
  publicIp!: string | null;

  @Field(() => Int, {
    description:
      'The port of that address at which it listens for SSH, for the user `cloud`: 22, where the host has no reason for another.',
  })
  sshPort!: number;

  @Field(() => String, { nullable: true, description: 'Its address in the overlay; null until it has one.' })
  nebulaIp!: string | null;

  @Field(() => [String], { description: 'All its addresses.' })
  ipAddresses!: string[];

  @Field(() => Int, { description: 'Grows with each change of what you see.' })
  revision!: number;

  @Field(() => DateTime, { description: 'When it was asked for.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: Date;
}

/** The columns of a machine under the names of its fields. */
export const INSTANCE_COLUMNS = `i.id, i.uuid, i.name, i.state AS status, i.wanted_state AS "wantedState", i.flavor_id AS "flavorId",
  i.flavor_name AS "flavorName", json_build_object('id', i.flavor_id, 'name', i.flavor_name, 'cpuCores', i.cpu_cores,
  'memoryMb', i.memory_mb, 'diskGb', i.disk_gb) AS flavor, i.image_id AS "imageId", i.image_name AS "imageName",
  (SELECT a.name FROM infrastructure.vm_application a WHERE a.id = i.application_id) AS application,
  CASE i.state WHEN 'running' THEN (SELECT coalesce(i.application_health, 'waiting') FROM infrastructure.vm_application a
    WHERE a.id = i.application_id AND a.probe_port IS NOT NULL) END AS "applicationHealth",
  i.ssh_public_key AS "sshPublicKey", i.error_message AS "errorMessage", i.public_ip AS "publicIp", coalesce(i.ssh_port, 22) AS "sshPort",
  i.overlay_ip AS "nebulaIp",
  array_remove(ARRAY[i.public_ip, i.overlay_ip], NULL) AS "ipAddresses", i.revision, i.created_at AS "createdAt",
  i.updated_at AS "updatedAt"`;
