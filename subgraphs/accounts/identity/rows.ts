import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'user' })
export class UserRow {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
  @Property({ type: 'text' }) username!: string;
  @Property({ type: 'text', nullable: true }) email!: string | null;
  @Property({ type: 'text', nullable: true }) ethereumAddress!: string | null;
  @Property({ type: 'text', nullable: true }) substrateAddress!: string | null;
  @Property({ type: 'boolean', default: false }) substrateProved!: Opt<boolean>;
  @Property({ type: 'text[]', defaultRaw: `'{}'::text[]` }) roles!: Opt<string[]>;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'text', defaultRaw: `substr(md5((gen_random_uuid())::text), 1, 16)` }) referralCode!: Opt<string>;
  @Property({ type: 'integer', nullable: true }) referredBy!: number | null;
  @Property({ type: 'integer', default: 0 }) rewardedReferrals!: Opt<number>;
}

@Entity({ tableName: 'token' })
export class TokenRow {
  @PrimaryKey({ type: 'uuid', defaultRaw: `gen_random_uuid()` }) id!: Opt<string>;
  @Property({ type: 'text' }) hash!: string;
  @Property({ type: 'integer', nullable: true }) userId!: number | null;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'text[]', defaultRaw: `'{}'::text[]` }) roles!: Opt<string[]>;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime', nullable: true }) expiresAt!: Date | null;
  @Property({ type: 'datetime', nullable: true }) revokedAt!: Date | null;
  @Property({ type: 'datetime', nullable: true }) lastUsedAt!: Date | null;
  @Property({ type: 'text', nullable: true }) lastAddress!: string | null;
}

@Entity({ tableName: 'session' })
export class SessionRow {
  @PrimaryKey({ type: 'uuid', defaultRaw: `gen_random_uuid()` }) id!: Opt<string>;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'uuid', nullable: true }) tokenId!: string | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime' }) expiresAt!: Date;
  @Property({ type: 'datetime', nullable: true }) revokedAt!: Date | null;
  @Property({ type: 'datetime', nullable: true }) lastUsedAt!: Date | null;
  @Property({ type: 'text', nullable: true }) lastAddress!: string | null;
  @Property({ type: 'uuid', nullable: true }) parentId!: string | null;
}

@Entity({ tableName: 'refresh_token' })
export class RefreshTokenRow {
  @PrimaryKey({ type: 'text' }) hash!: string;
  @Property({ type: 'uuid' }) sessionId!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime' }) expiresAt!: Date;
  @Property({ type: 'datetime', nullable: true }) usedAt!: Date | null;
  @Property({ type: 'bytea', nullable: true }) sealedSuccessor!: Buffer | null;
}

@Entity({ tableName: 'signing_key' })
export class SigningKeyRow {
  @PrimaryKey({ type: 'text' }) kid!: string;
  @Property({ type: 'text' }) publicX!: string;
  @Property({ type: 'bytea' }) sealedPrivateKey!: Buffer;
  @Property({ type: 'text' }) sealedBy!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime', nullable: true }) retiredAt!: Date | null;
}

@Entity({ tableName: 'rate' })
export class RateRow {
  @PrimaryKey({ type: 'text' }) scope!: string;
  @PrimaryKey({ type: 'text' }) key!: string;
  @Property({ type: 'timestamptz[]' }) taken!: Date[];
  @Property({ type: 'datetime', nullable: true }) freeAt!: Date | null;
}
