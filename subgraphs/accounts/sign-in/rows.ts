import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'auth_code' })
export class AuthCodeRow {
  @PrimaryKey({ type: 'text' }) hash!: string;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'text' }) provider!: string;
  @Property({ type: 'datetime' }) expiresAt!: Date;
}

@Entity({ tableName: 'challenge' })
export class ChallengeRow {
  @PrimaryKey({ type: 'text' }) challenge!: string;
  @Property({ type: 'text' }) ethereumAddress!: string;
  @Property({ type: 'text' }) substrateAddress!: string;
  @Property({ type: 'text' }) message!: string;
  /** The user to whose account the wallet is linked; null for a sign-in. */
  @Property({ type: 'integer', nullable: true }) linkUserId!: number | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime' }) expiresAt!: Date;
}

@Entity({ tableName: 'identity' })
export class IdentityRow {
  @PrimaryKey({ type: 'text' }) issuer!: string;
  @PrimaryKey({ type: 'text' }) subject!: string;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'datetime' }) createdAt!: Date;
}

@Entity({ tableName: 'pending_login' })
export class PendingLoginRow {
  @PrimaryKey({ type: 'text' }) stateHash!: string;
  @Property({ type: 'text' }) browserHash!: string;
  @Property({ type: 'text' }) provider!: string;
  @Property({ type: 'text' }) callbackUrl!: string;
  @Property({ type: 'bytea' }) sealedChecks!: Buffer;
  @Property({ type: 'datetime' }) expiresAt!: Date;
}
