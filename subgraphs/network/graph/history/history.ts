import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { sql } from 'kysely';
import { Directive, Field, Int, ObjectType } from 'type-graphql';
import type { Computed } from '../../../../kernel/database/query.js';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'A row that a change created, updated or deleted.', simpleResolvers: true })
export class NetworkChangeItem {
  @Field(() => String, {
    description: '`group`, `member`, `network`, `peer`, `policy`, `resource`, `resource_group` or `router`.',
  })
  kind!: string;

  @Field(() => String, { description: 'Id of the row; of a membership, both ids joined by a dash.' })
  id!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The row before the change, as JSON; null when the change created it.',
  })
  before!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The row after the change, as JSON; null when the change deleted it.',
  })
  after!: string | null;
}

@ObjectType({ description: 'One change of a private network.', simpleResolvers: true })
export class NetworkChange {
  @Field(() => String, { description: 'Id of the change; never changes.' })
  id!: Opt<string>;

  @Field(() => Int, { description: 'The revision after the change.' })
  @Property({ type: 'integer' })
  revision!: number;

  @Field(() => DateTime, { description: 'When it was created.' })
  @Property({ type: 'datetime' })
  at!: Date;

  @Field(() => Int, { description: 'The user who made the change.' })
  byUserId!: Computed<number>;

  @Field(() => String, {
    nullable: true,
    description:
      'The session or API token that made the change, by its id in `sessions` or `tokens`; null for a change that the platform made for the user, and for one of an earlier version.',
  })
  byTokenId!: Computed<string> | null;

  @Field(() => String, { nullable: true, description: 'The change that this one reverts.' })
  @Property({ type: 'bigint', nullable: true })
  undoes!: string | null;

  @Field(() => String, { nullable: true, description: 'The change that reverted this one.' })
  undoneBy!: Computed<string> | null;

  @Directive('@listSize(assumedSize: 30)')
  @Field(() => [NetworkChangeItem], { description: 'The changed rows, in order.' })
  items!: Computed<NetworkChangeItem[]>;
}

@Entity({ tableName: 'change' })
export class ChangeRow extends NetworkChange {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'bigint', generated: 'identity', autoincrement: true }) override id!: Opt<string>;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'text', nullable: true }) tokenId!: string | null;
  /** Whether its events were taken for a notification of the owner. */
  @Property({ type: 'boolean', default: false }) isNotified!: Opt<boolean>;
}

/** Whether item `i` of a change `c` belongs to the group of the platform's own machines, which is never shown. */
const IS_INFRA = sql`(i.kind IN ('group', 'member') AND EXISTS (
  SELECT FROM network."group" g WHERE g.tenant_id = c.tenant_id AND g.is_infra
     AND g.id = (coalesce(i.after, i.before) ->> CASE i.kind WHEN 'group' THEN 'id' ELSE 'group_id' END)::integer))`;

/** Changes `c` with the names of their fields. */
export const CHANGES = sql`SELECT c.id::text, c.revision, c.at, c.user_id AS "byUserId", c.token_id AS "byTokenId", c.undoes::text,
  (SELECT u.id::text FROM network.change u WHERE u.tenant_id = c.tenant_id AND u.undoes = c.id) AS "undoneBy",
  (SELECT coalesce(json_agg(json_build_object('kind', i.kind, 'before', i.before::text, 'after', i.after::text, 'id',
            CASE i.kind WHEN 'member' THEN concat(i.row ->> 'group_id', '-', i.row ->> 'peer_id')
                        WHEN 'resource_group' THEN concat(i.row ->> 'resource_id', '-', i.row ->> 'group_id')
                        ELSE i.row ->> 'id' END) ORDER BY i.id), '[]')
     FROM (SELECT *, coalesce(after, before) AS row FROM network.change_item i WHERE tenant_id = c.tenant_id AND change_id = c.id AND NOT ${IS_INFRA}) i) AS items
  FROM network.change c`;
