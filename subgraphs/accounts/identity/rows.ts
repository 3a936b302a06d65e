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

@Entity({ tableName: 'rate' })
export class RateRow {
  @PrimaryKey({ type: 'text' }) scope!: string;
  @PrimaryKey({ type: 'text' }) key!: string;
  @Property({ type: 'timestamptz[]' }) attempts!: Date[];
  @Property({ type: 'datetime', nullable: true }) freeAt!: Date | null;
}
