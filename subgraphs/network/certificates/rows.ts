import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'authority' })
export class AuthorityRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'integer', generated: 'identity', autoincrement: true }) id!: Opt<number>;
  @Property({ type: 'bytea' }) certificate!: Buffer;
  @Property({ type: 'text' }) fingerprint!: string;
  @Property({ type: 'text' }) sealedKey!: string;
  @Property({ type: 'datetime' }) notBefore!: Date;
  @Property({ type: 'datetime' }) notAfter!: Date;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'integer' }) generation!: number;
  @Property({ type: 'datetime', nullable: true }) signsFrom!: Date | null;
  @Property({ type: 'datetime', nullable: true }) retiresAt!: Date | null;
  @Property({ type: 'text', defaultRaw: `'in_use'::text` }) publishedPhase!: Opt<string>;
}

@Entity({ tableName: 'certificate_holder' })
export class CertificateHolderRow {
  @PrimaryKey({ type: 'uuid' }) reference!: string;
  @Property({ type: 'integer' }) tenantId!: number;
  @Property({ type: 'integer', nullable: true }) peerId!: number | null;
  @Property({ type: 'integer' }) keyNumber!: number;
  @Property({ type: 'datetime', nullable: true }) issuedAt!: Date | null;
  @Property({ type: 'text', nullable: true }) issuer!: string | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
}

@Entity({ tableName: 'issued_certificate' })
export class IssuedCertificateRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'text' }) fingerprint!: string;
  @Property({ type: 'integer', nullable: true }) peerId!: number | null;
  @Property({ type: 'text[]' }) subnets!: string[];
  @Property({ type: 'datetime' }) notAfter!: Date;
}

@Entity({ tableName: 'revoked_certificate' })
export class RevokedCertificateRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'text' }) fingerprint!: string;
  @Property({ type: 'datetime' }) notAfter!: Date;
  @Property({ type: 'datetime' }) revokedAt!: Date;
}
