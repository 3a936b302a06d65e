import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, InputType, Int, ObjectType } from 'type-graphql';

/** Largest distance from the origin, which is also a constraint of the database. */
export const MAX_COORDINATE = 1_000_000;

const X = 'Pixels to the right of the origin, at most a million either way.';
const Y = 'Pixels below the origin, at most a million either way.';

@ObjectType({ description: 'Where a node of the topology is drawn.', simpleResolvers: true })
export class NodePosition {
  @Field(() => String, { description: 'A node of the topology, e.g. `group:17`.' })
  node!: string;

  @Field(() => Int, { description: X })
  x!: number;

  @Field(() => Int, { description: Y })
  y!: number;
}

@InputType({ description: 'Where to draw a node of the topology.' })
export class NodePositionInput implements NodePosition {
  @Field(() => String, { description: 'A node of your topology, e.g. `group:17`.' })
  node!: string;

  @Field(() => Int, { description: X })
  x!: number;

  @Field(() => Int, { description: Y })
  y!: number;
}

@Entity({ tableName: 'node_position' })
export class NodePositionRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'text' }) kind!: 'group' | 'peer' | 'resource' | 'router';
  @PrimaryKey({ type: 'integer', autoincrement: false }) itemId!: number;
  @Property({ type: 'integer' }) x!: number;
  @Property({ type: 'integer' }) y!: number;
}
