import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { SandboxChainName } from '../payments/chain/sandbox-chains.js';
import type { DepositToken } from '../payments/chain/token.rules.js';
import type { DeliveryRule, InternalData, SandboxObjectName, SandboxObject } from './sandbox-objects.js';

@Entity({ tableName: 'sandbox_attempt' })
export class SandboxAttemptRow {
  @PrimaryKey({ type: 'bigint', generated: 'identity' }) id!: Opt<string>;
  @Property({ type: 'bigint' }) deliveryId!: string;
  @Property({ type: 'integer', nullable: true }) status!: number | null;
  @Property({ type: 'text' }) answer!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
}

@Entity({ tableName: 'sandbox_block' })
export class SandboxBlockRow {
  @PrimaryKey({ type: 'text' }) chain!: SandboxChainName;
  @PrimaryKey({ type: 'integer', autoincrement: false }) number!: number;
  @Property({ type: 'text' }) hash!: string;
  @Property({ type: 'datetime' }) minedAt!: Date;
}

@Entity({ tableName: 'sandbox_delivery' })
export class SandboxDeliveryRow {
  @PrimaryKey({ type: 'bigint', generated: 'identity' }) id!: Opt<string>;
  @Property({ type: 'text' }) eventId!: string;
  @Property({ type: 'text', nullable: true }) customer!: string | null;
  @Property({ type: 'text' }) url!: string;
  @Property({ type: 'jsonb', defaultRaw: `'{}'::jsonb` }) manner!: Opt<
    Pick<DeliveryRule, 'secret' | 'ageSeconds' | 'failTimes'>
  >;
  @Property({ type: 'text' }) state!: 'held' | 'waiting' | 'delivered' | 'failed' | 'dropped';
  @Property({ type: 'integer', default: 0 }) attempts!: Opt<number>;
  @Property({ type: 'datetime' }) createdAt!: Date;
}

@Entity({ tableName: 'sandbox_object' })
export class SandboxObjectRow {
  @PrimaryKey({ type: 'text' }) id!: string;
  @Property({ type: 'text' }) kind!: SandboxObjectName;
  @Property({ type: 'text', nullable: true }) customer!: string | null;
  @Property({ type: 'jsonb' }) object!: SandboxObject;
  @Property({ type: 'jsonb', defaultRaw: `'{}'::jsonb` }) hidden!: Opt<InternalData>;
  @Property({ type: 'datetime', nullable: true }) dueAt!: Date | null;
  @Property({ type: 'bigint', generated: 'identity', autoincrement: true }) position!: Opt<string>;
  @Property({ type: 'datetime' }) createdAt!: Date;
}

@Entity({ tableName: 'sandbox_request' })
export class SandboxRequestRow {
  @PrimaryKey({ type: 'text' }) key!: string;
  @Property({ type: 'text' }) fingerprint!: string;
  @Property({ type: 'integer' }) status!: number;
  @Property({ type: 'text' }) body!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
}

@Entity({ tableName: 'sandbox_setting' })
export class SandboxSettingRow {
  @PrimaryKey({ type: 'text' }) name!: string;
  @Property({ type: 'jsonb' }) value!: unknown;
}

@Entity({ tableName: 'sandbox_transfer' })
export class SandboxTransferRow {
  @PrimaryKey({ type: 'bigint', generated: 'identity' }) id!: Opt<string>;
  @Property({ type: 'text' }) chain!: SandboxChainName;
  @Property({ type: 'text' }) hash!: string;
  @Property({ type: 'integer', nullable: true }) blockNumber!: number | null;
  @Property({ type: 'text' }) token!: DepositToken;
  @Property({ type: 'text' }) recipient!: string;
  @Property({ type: 'numeric', precision: 78, scale: 0 }) amount!: string;
}
