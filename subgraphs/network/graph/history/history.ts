import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'One row that a change made, altered or removed.', simpleResolvers: true })
export class NetworkChangeItem {
  @Field(() => String, {
    description: '`group`, `member`, `network`, `peer`, `policy`, `resource`, `resource_group` or `router`.',
  })
  kind!: string;

  @Field(() => String, { description: 'Its id; of memberships, the two ids with a dash between.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'What it was, as JSON; null where the change made it.' })
  before!: string | null;

  @Field(() => String, { nullable: true, description: 'What it became, as JSON; null where the change removed it.' })
  after!: string | null;
}

@ObjectType({ description: 'One change of a private network.', simpleResolvers: true })
export class NetworkChange {
  @Field(() => String, { description: 'Never changes.' })
  id!: string;

  @Field(() => Int, { description: 'The revision it led to.' })
  revision!: number;

  @Field(() => DateTime, { description: 'When it was made.' })
  at!: Date;

  @Field(() => Int, { description: 'Who made it.' })
  byUserId!: number;

  @Field(() => String, { nullable: true, description: 'The change that it takes back.' })
  undoes!: string | null;

  @Field(() => String, { nullable: true, description: 'The change that takes it back.' })
  undoneBy!: string | null;

  @Field(() => [NetworkChangeItem], { description: 'What it did, in its order.' })
  items!: NetworkChangeItem[];
}

/** Items `i` of a change `c` that are of the group of the platform's own machines, which is told nowhere. */
const IS_INFRA = `(i.kind IN ('group', 'member') AND EXISTS (
  SELECT FROM network."group" g WHERE g.tenant_id = c.tenant_id AND g.is_infra
     AND g.id = (coalesce(i.after, i.before) ->> CASE i.kind WHEN 'group' THEN 'id' ELSE 'group_id' END)::integer))`;

/** The columns of a change under the names of its fields. */
export const CHANGE_COLUMNS = `c.id::text, c.revision, c.at, c.user_id AS "byUserId", c.undoes::text,
  (SELECT u.id::text FROM network.change u WHERE u.undoes = c.id) AS "undoneBy",
  (SELECT coalesce(json_agg(json_build_object('kind', i.kind, 'before', i.before::text, 'after', i.after::text, 'id',
            CASE i.kind WHEN 'member' THEN concat(i.row ->> 'group_id', '-', i.row ->> 'peer_id')
                        WHEN 'resource_group' THEN concat(i.row ->> 'resource_id', '-', i.row ->> 'group_id')
                        ELSE i.row ->> 'id' END) ORDER BY i.id), '[]')
     FROM (SELECT *, coalesce(after, before) AS row FROM network.change_item i WHERE change_id = c.id AND NOT ${IS_INFRA}) i) AS items`;
