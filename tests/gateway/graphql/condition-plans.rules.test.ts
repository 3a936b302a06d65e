import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/supergraph.js';
import { PlanCache } from '../../../gateway/graphql/plan-cache.js';
import type { SubgraphClient } from '../../../kernel/subgraph/subgraph-client.js';
import { filesIn } from '../../architecture/source.js';

const ADDRESS = '203.0.113.9';
const REQUEST = { viewer: { kind: 'anonymous' }, requestId: 'a test', clientAddress: ADDRESS } as const;

/** A document with twelve conditions that is as long as a tenth of an allowance. */
const NAMES = [...Array(12).keys()].map((index) => `c${index}`);
const DOCUMENT = `query (${NAMES.map((name) => `$${name}: Boolean!`).join(' ')}) {
  ${NAMES.map((name) => `${name}: storagePrice @include(if: $${name}) { creditsPerGibMonth }`).join('\n')}
} # ${'x'.repeat(100_000)}`;

describe('the conditions of a planned operation', () => {
  it('use the allowance of the client network with each combination that must be planned', async () => {
    const [supergraph] = filesIn(['schema'], 'supergraph.graphql');
    const answer: Pick<SubgraphClient, 'execute'> = { execute: async () => ({ data: {} }) };
    const engine = new Engine(readSupergraph(supergraph?.text ?? ''), new Map([['sync', answer as SubgraphClient]]));
    const plans = new PlanCache(engine, () => 0);
    const operation = plans.of(DOCUMENT, parse(DOCUMENT), { name: undefined, address: ADDRESS });
    const run = async (chosen: number) => {
      const variables = Object.fromEntries(NAMES.map((name, index) => [name, index === chosen]));
      const { errors = [] } = await engine.execute(operation, variables, REQUEST);
      return errors.some(({ extensions }) => extensions.code === 'RATE_LIMITED');
    };
    const refused = [];
    for (const index of NAMES.keys()) refused.push(await run(index));
    expect(refused).toEqual([...Array(9).fill(false), ...Array(3).fill(true)]);
    expect(await run(0)).toBe(false);
  });
});
