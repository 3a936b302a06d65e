import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'refresh_token' })
export class RefreshTokenRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'text' }) hash!: string;
  @Property({ type: 'uuid' }) sessionId!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime' }) expiresAt!: Date;
  @Property({ type: 'datetime', nullable: true }) usedAt!: Date | null;
  @Property({ type: 'bytea', nullable: true }) sealedSuccessor!: Buffer | null;
}

/** The number of users with an SS58 address, in 64 parts by the id of the user; kept by triggers. */
@Entity({ tableName: 'address_count' })
export class AddressCountRow {
  @PrimaryKey({ type: 'smallint', autoincrement: false }) part!: number;
  @Property({ type: 'bigint' }) count!: string;
}

@Entity({ tableName: 'rate' })
export class RateRow {
  @PrimaryKey({ type: 'text' }) scope!: string;
  @PrimaryKey({ type: 'text' }) key!: string;
  @Property({ type: 'timestamptz[]' }) attempts!: Date[];
  @Property({ type: 'datetime', nullable: true }) freeAt!: Date | null;
}
