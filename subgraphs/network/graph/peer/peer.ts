import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

export const PEER_STATUSES = ['never_seen', 'applying', 'in_force', 'stale'] as const;
export type PeerStatus = (typeof PEER_STATUSES)[number];

export const PeerStatusEnum = Object.fromEntries(PEER_STATUSES.map((status) => [status, status]));

registerEnumType(PeerStatusEnum, {
  name: 'PeerStatus',
  description: 'The state of a machine: whether it has joined and runs its present configuration.',
});

@ObjectType({ description: 'A machine of a private network.', simpleResolvers: true })
export class Peer {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => String, { description: 'Any text of 1 to 100 characters.' })
  label!: string;

  @Field(() => String, { description: 'Its overlay address; never changes.' })
  ip!: string;

  @Field(() => PeerStatusEnum, {
    description:
      '`never_seen` until the machine joins, `applying` until it runs its present configuration, `in_force` when it does, `stale` when it sent no report for 90 s or did not apply a change within 60 s.',
  })
  status!: PeerStatus;

  @Field(() => [Int], {
    description: 'Your groups that contain the peer: at least one, except for machines of the platform.',
  })
  groups!: number[];

  @Field(() => String, { nullable: true, description: 'The order ticket of the VM, as given at enrollment.' })
  vmTicketRef!: string | null;

  @Field(() => DateTime, { nullable: true, description: 'When the machine last sent a report.' })
  lastSeen!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'SHA-256 of the configuration that the machine reports as running.',
  })
  applied!: string | null;

  @Field(() => DateTime, { description: 'When it was enrolled.' })
  createdAt!: Date;
}
