import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'overlay_certificate' })
export class OverlayCertificateRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'integer', generated: 'identity', autoincrement: true }) id!: Opt<number>;
  @Property({ type: 'uuid' }) reference!: string;
  @Property({ type: 'text' }) state!: 'pending' | 'active' | 'revoking' | 'revoked';
  @Property({ type: 'bytea' }) publicKey!: Buffer;
  @Property({ type: 'text', nullable: true }) sealedKey!: string | null;
  @Property({ type: 'boolean' }) isOwnKey!: boolean;
  @Property({ type: 'integer', default: 1 }) keyNumber!: Opt<number>;
  /** Replaces the key once network has issued a certificate for it. */
  @Property({ type: 'bytea', nullable: true }) requestedKey!: Buffer | null;
  @Property({ type: 'text', nullable: true }) ip!: string | null;
  @Property({ type: 'datetime', nullable: true }) expiresAt!: Date | null;
  @Property({ type: 'datetime', nullable: true }) renewalNotifiedFor!: Date | null;
  @Property({ type: 'datetime', nullable: true }) expiryNotifiedFor!: Date | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime', nullable: true }) revokedAt!: Date | null;
}
