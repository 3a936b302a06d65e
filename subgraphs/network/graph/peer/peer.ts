import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

export const PEER_STATUSES = ['never_seen', 'applying', 'in_force', 'stale'] as const;
export type PeerStatus = (typeof PEER_STATUSES)[number];

export const PeerStatusEnum = Object.fromEntries(PEER_STATUSES.map((status) => [status, status]));

registerEnumType(PeerStatusEnum, {
  name: 'PeerStatus',
  description: 'How far a machine is: whether it joined, and runs what the graph says.',
});

@ObjectType({ description: 'A machine of a private network.', simpleResolvers: true })
export class Peer {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => String, { description: 'Any text of 1 to 100 characters.' })
  label!: string;

  @Field(() => String, { description: 'Its address in the overlay; never changes.' })
  ip!: string;

  @Field(() => PeerStatusEnum, {
    description:
      '`never_seen` until it joins, `applying` while it does not run what it was given yet, `in_force` when it does, `stale` when it was not heard of for 90 s or has not applied a change for 60 s.',
  })
  status!: PeerStatus;

  @Field(() => [Int], { description: 'The groups of yours it is in: at least one, but for machines of the platform.' })
  groups!: number[];

  @Field(() => String, { nullable: true, description: 'The order ticket of the VM, as it was given at enrollment.' })
  vmTicketRef!: string | null;

  @Field(() => DateTime, { nullable: true, description: 'When it was last heard of.' })
  lastSeen!: Date | null;

  @Field(() => String, { nullable: true, description: 'SHA-256 of the configuration it says it runs.' })
  applied!: string | null;

  @Field(() => DateTime, { description: 'When it was enrolled.' })
  createdAt!: Date;
}
