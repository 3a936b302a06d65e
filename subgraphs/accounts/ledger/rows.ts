import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'ledger_account' })
export class LedgerAccountRow {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
  @Property({ type: 'integer', nullable: true }) userId!: number | null;
  @Property({ type: 'text', nullable: true }) name!: string | null;
  @Property({ type: 'numeric', precision: 38, scale: 18, nullable: true }) balance!: string | null;
  @Property({ type: 'datetime' }) updatedAt!: Date;
  @Property({ type: 'integer', nullable: true }) debtorId!: number | null;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 }) held!: Opt<string>;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 }) debt!: Opt<string>;
  @Property({ type: 'bigint', defaultRaw: `0` }) entryCount!: Opt<string>;
  @Property({ type: 'integer', default: 0 }) alerts!: Opt<number>;
  @Property({ type: 'boolean', default: false }) isLow!: Opt<boolean>;
}

@Entity({ tableName: 'entry' })
export class EntryRow {
  @PrimaryKey({ type: 'bigint', autoincrement: false }) transferId!: string;
  @PrimaryKey({ type: 'integer', autoincrement: false }) ledgerAccountId!: number;
  @Property({ type: 'numeric', precision: 38, scale: 18 }) amount!: string;
  @Property({ type: 'integer', nullable: true }) userId!: number | null;
  @Property({ type: 'bigint', nullable: true }) position!: string | null;
  @Property({ type: 'numeric', precision: 38, scale: 18, nullable: true }) balanceAfter!: string | null;
  @Property({ type: 'numeric', precision: 38, scale: 18, nullable: true }) debtAfter!: string | null;
}

@Entity({ tableName: 'transfer' })
export class TransferRow {
  @PrimaryKey({ type: 'bigint', generated: 'identity' }) id!: Opt<string>;
  @Property({ type: 'text' }) source!: string;
  @Property({ type: 'text' }) reference!: string;
  @Property({ type: 'text' }) kind!: string;
  @Property({ type: 'text' }) reason!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'text', nullable: true }) link!: string | null;
}
