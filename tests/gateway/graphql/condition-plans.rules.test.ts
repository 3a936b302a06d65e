import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/supergraph.js';
import { PlanCache } from '../../../gateway/graphql/documents/plan-cache.js';
import type { SubgraphClient } from '../../../kernel/subgraph/subgraph-client.js';
import { filesIn } from '../../architecture/source.js';

const ADDRESS = '203.0.113.9';
const REQUEST = { viewer: { kind: 'anonymous' }, requestId: 'a test', clientAddress: ADDRESS } as const;

/** A document with twelve conditions that is as long as a tenth of an allowance. */
const NAMES = [...Array(12).keys()].map((index) => `c${index}`);
const DOCUMENT = `query (${NAMES.map((name) => `$${name}: Boolean!`).join(' ')}) {
  ${NAMES.map((name) => `${name}: storagePrice @include(if: $${name}) { creditsPerGibMonth }`).join('\n')}
} # ${'x'.repeat(100_000)}`;

const [SUPERGRAPH] = filesIn(['schema'], 'supergraph.graphql');

function openPlans() {
  const answer: Pick<SubgraphClient, 'execute'> = { execute: async () => ({ data: {} }) };
  const engine = new Engine(readSupergraph(SUPERGRAPH?.text ?? ''), new Map([['sync', answer as SubgraphClient]]));
  return { engine, plans: new PlanCache(engine, () => 0) };
}

describe('the conditions of a planned operation', () => {
  it('use the allowance of the client network with each combination that must be planned', async () => {
    const { engine, plans } = openPlans();
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

  it('use the memory of the cache with each combination', async () => {
    const { engine, plans } = openPlans();
    const other = `{ storagePrice { creditsPerGibMonth } } # ${'x'.repeat(750_000)}`;
    const anyone = { name: undefined, address: undefined };
    const operation = plans.of(DOCUMENT, parse(DOCUMENT), anyone);
    plans.of(other, parse(other), anyone);
    const run = (chosen: number) => {
      const variables = Object.fromEntries(NAMES.map((name, index) => [name, index === chosen]));
      return engine.execute(operation, variables, { viewer: { kind: 'anonymous' }, requestId: 'a test' });
    };
    await run(0);
    await run(1);
    expect([plans.find(other, undefined), plans.find(DOCUMENT, undefined)]).not.toContain(undefined);
    await run(2);
    expect([plans.find(other, undefined), plans.find(DOCUMENT, undefined)]).toEqual([undefined, operation]);
  });
});
