import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'change' })
export class ChangeRow {
  @PrimaryKey({ type: 'bigint', generated: 'identity' }) id!: Opt<string>;
  @Property({ type: 'integer' }) tenantId!: number;
  @Property({ type: 'integer' }) revision!: number;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'datetime' }) at!: Date;
  @Property({ type: 'bigint', nullable: true }) undoes!: string | null;
}

@Entity({ tableName: 'change_item' })
export class ChangeItemRow {
  @PrimaryKey({ type: 'bigint', generated: 'identity' }) id!: Opt<string>;
  @Property({ type: 'bigint' }) changeId!: string;
  @Property({ type: 'text' }) kind!: string;
  @Property({ type: 'jsonb', nullable: true }) before!: unknown | null;
  @Property({ type: 'jsonb', nullable: true }) after!: unknown | null;
}

@Entity({ tableName: 'network' })
export class NetworkRow {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
  @Property({ type: 'integer' }) tenantId!: number;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'boolean', default: false }) isDefault!: Opt<boolean>;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'text', nullable: true }) description!: string | null;
}

@Entity({ tableName: 'peer' })
export class PeerRow {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
  @Property({ type: 'integer' }) tenantId!: number;
  @Property({ type: 'text' }) label!: string;
  @Property({ type: 'inet' }) ip!: string;
  @Property({ type: 'text', nullable: true }) vmTicketRef!: string | null;
  @Property({ type: 'boolean', default: false }) isInfra!: Opt<boolean>;
  @Property({ type: 'bytea', nullable: true }) publicKey!: Buffer | null;
  @Property({ type: 'text', nullable: true }) tokenHash!: string | null;
  @Property({ type: 'bytea', nullable: true }) certificate!: Buffer | null;
  @Property({ type: 'text', nullable: true }) certificateFingerprint!: string | null;
  @Property({ type: 'datetime', nullable: true }) certificateNotAfter!: Date | null;
  @Property({ type: 'text', nullable: true }) configHash!: string | null;
  @Property({ type: 'datetime', nullable: true }) configChangedAt!: Date | null;
  @Property({ type: 'text', nullable: true }) appliedHash!: string | null;
  @Property({ type: 'datetime', nullable: true }) joinedAt!: Date | null;
  @Property({ type: 'datetime', nullable: true }) lastSeen!: Date | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'boolean', default: false }) isToldStale!: Opt<boolean>;
}

@Entity({ tableName: 'policy' })
export class PolicyRow {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
  @Property({ type: 'integer' }) tenantId!: number;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'integer' }) sourceGroupId!: number;
  @Property({ type: 'integer' }) destGroupId!: number;
  @Property({ type: 'text' }) protocol!: string;
  @Property({ type: 'text[]', defaultRaw: `'{}'::text[]` }) ports!: Opt<string[]>;
  @Property({ type: 'boolean' }) bidirectional!: boolean;
  @Property({ type: 'text' }) action!: string;
  @Property({ type: 'boolean' }) enabled!: boolean;
  @Property({ type: 'boolean', default: false }) isManaged!: Opt<boolean>;
  @Property({ type: 'datetime' }) createdAt!: Date;
}

@Entity({ tableName: 'resource' })
export class ResourceRow {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
  @Property({ type: 'integer' }) tenantId!: number;
  @Property({ type: 'integer' }) networkId!: number;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'text' }) address!: string;
  @Property({ type: 'text' }) kind!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'boolean', default: true }) enabled!: Opt<boolean>;
}

@Entity({ tableName: 'resource_group' })
export class ResourceGroupRow {
  @Property({ type: 'integer' }) tenantId!: number;
  @PrimaryKey({ type: 'integer', autoincrement: false }) resourceId!: number;
  @PrimaryKey({ type: 'integer', autoincrement: false }) groupId!: number;
}

@Entity({ tableName: 'router' })
export class RouterRow {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
  @Property({ type: 'integer' }) tenantId!: number;
  @Property({ type: 'integer' }) networkId!: number;
  @Property({ type: 'integer' }) peerId!: number;
  @Property({ type: 'boolean' }) masquerade!: boolean;
  @Property({ type: 'integer' }) metric!: number;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'boolean', default: true }) enabled!: Opt<boolean>;
}
