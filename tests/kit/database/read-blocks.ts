import type { Client } from 'pg';
import { QueryCompiler, type Query } from '../../../kernel/database/query.js';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** What PostgreSQL did for a statement: pages of tables and indexes that it read, and the most rows of one step. */
export interface Reading {
  readonly blocks: number;
  readonly rows: number;
}

/** Executes the statement with EXPLAIN in the schema of a subgraph. */
export async function readingOf<Values extends object>(
  client: Client,
  schema: string,
  statement: Query<Values, unknown>,
  values: Values,
): Promise<Reading> {
  const { text, values: bound } = new QueryCompiler(schema).prepare(statement, values);
  const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, bound);
  const plan: PlanNode = rows[0]['QUERY PLAN'][0].Plan;
  const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  return {
    blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    rows: Math.max(...nodesOf(plan).map((node) => node['Actual Rows'])),
  };
}
