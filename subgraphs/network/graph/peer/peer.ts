import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { sql } from 'kysely';
import { Directive, Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Computed } from '../../../../kernel/database/query.js';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

export const PEER_STATUSES = ['never_seen', 'applying', 'in_force', 'stale'] as const;
export type PeerStatus = (typeof PEER_STATUSES)[number];

export const PeerStatusEnum = Object.fromEntries(PEER_STATUSES.map((status) => [status, status]));

registerEnumType(PeerStatusEnum, {
  name: 'PeerStatus',
  description: 'The state of a machine: whether it has joined and runs its current configuration.',
});

@Directive('@key(fields: "id")')
@ObjectType({ description: 'A machine of a private network.', simpleResolvers: true })
export class Peer {
  @Field(() => Int, { description: 'Id of the peer; never changes.' })
  id!: Opt<number>;

  @Field(() => String, { description: 'Any text of 1 to 100 characters.' })
  @Property({ type: 'text' })
  label!: string;

  @Field(() => String, {
    description: 'Its overlay address. It changes only where a NetBird server assigns the addresses of machines.',
  })
  @Property({ type: 'inet' })
  ip!: string;

  @Field(() => PeerStatusEnum, {
    description:
      '`never_seen` until the machine joins, `applying` until it runs its current configuration, `in_force` when it does, `stale` when it was not seen for 90 s or did not apply a change within 60 s.',
  })
  status!: Computed<PeerStatus>;

  @Field(() => [Int], {
    description: 'Your groups that contain the peer: at least one, except for machines of the platform.',
  })
  groups!: Computed<number[]>;

  @Field(() => String, { nullable: true, description: 'The order ticket of the VM, as given at enrollment.' })
  @Property({ type: 'text', nullable: true })
  vmTicketRef!: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the machine last joined, sent a report, requested its configuration or was connected to a NetBird server.',
  })
  @Property({ type: 'datetime', nullable: true })
  lastSeen!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'SHA-256 of the configuration that the machine reports as running.',
  })
  applied!: Computed<string> | null;

  @Field(() => DateTime, { description: 'When it was enrolled.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;
}

@Entity({ tableName: 'peer' })
export class PeerRow extends Peer {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'integer', generated: 'identity', autoincrement: true }) override id!: Opt<number>;
  /** Whether it is a machine of the platform. */
  @Property({ type: 'boolean', default: false }) isInfra!: Opt<boolean>;
  /** x25519, 32 bytes; null until the machine joins. */
  @Property({ type: 'bytea', nullable: true }) publicKey!: Buffer | null;
  @Property({ type: 'text', nullable: true }) tokenHash!: string | null;
  @Property({ type: 'bytea', nullable: true }) certificate!: Buffer | null;
  @Property({ type: 'text', nullable: true }) certificateFingerprint!: string | null;
  @Property({ type: 'datetime', nullable: true }) certificateNotAfter!: Date | null;
  /** SHA-256 of the configuration that it must run. */
  @Property({ type: 'text', nullable: true }) configHash!: string | null;
  @Property({ type: 'datetime', nullable: true }) configChangedAt!: Date | null;
  @Property({ type: 'text', nullable: true }) appliedHash!: string | null;
  @Property({ type: 'datetime', nullable: true }) joinedAt!: Date | null;
  /** Whether its staleness was published to readers of the graph. */
  @Property({ type: 'boolean', default: false }) isPublishedStale!: Opt<boolean>;
  /** `online` or `offline`, as its owner was last notified; null until the owner knows that it joined. */
  @Property({ type: 'text', nullable: true }) notifiedPresence!: string | null;
  /** The end of the certificate that its owner was notified of. */
  @Property({ type: 'datetime', nullable: true }) notifiedNotAfter!: Date | null;
}

/** The columns of the state of a peer. */
export const PEER_STATE_COLUMNS = [
  'peer.joinedAt',
  'peer.lastSeen',
  'peer.configHash',
  'peer.configChangedAt',
  'peer.appliedHash as applied',
] as const;

/** The columns of a peer in GraphQL, without its groups, and those of its state. */
export const PEER_COLUMNS = [
  'peer.id',
  'peer.label',
  sql<string>`host(peer.ip)`.as('ip'),
  'peer.vmTicketRef',
  'peer.createdAt',
  ...PEER_STATE_COLUMNS,
] as const;
