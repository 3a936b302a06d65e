import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import { Documents } from '../../../gateway/graphql/documents/documents.js';
import { PlanCache } from '../../../gateway/graphql/documents/plan-cache.js';
import { documentReader } from '../../../gateway/graphql/documents/read-document.js';
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

function openPlans(limits?: { readonly max: number; readonly maxSize: number }) {
  const answer: Pick<SubgraphClient, 'execute'> = { execute: async () => ({ data: {} }) };
  const engine = new Engine(readSupergraph(SUPERGRAPH?.text ?? ''), new Map([['sync', answer as SubgraphClient]]));
  return { engine, plans: new PlanCache(engine, () => 0, undefined, { limits }) };
}

describe('the conditions of a planned operation', () => {
  it('use the allowance of the client network with each combination that must be planned', async () => {
    const { engine, plans } = openPlans();
    const operation = plans.planOrGet(DOCUMENT, parse(DOCUMENT), { name: undefined, address: ADDRESS });
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
    const anyone = { name: undefined, address: undefined };
    const other = '{ storagePrice { creditsPerGibMonth } }';
    // Both documents and two combinations; a combination of one field has two selections.
    const documentBytes = 12_000 + 50 * (DOCUMENT.length + other.length + 2) + 700 * 2;
    const { engine, plans } = openPlans({ max: 10, maxSize: documentBytes + 2 * 700 * 2 });
    const operation = plans.planOrGet(DOCUMENT, parse(DOCUMENT), anyone);
    plans.planOrGet(other, parse(other), anyone);
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

  it('stay compiled for at most 16 combinations', async () => {
    const { engine, plans } = openPlans();
    const operation = plans.planOrGet(DOCUMENT, parse(DOCUMENT), { name: undefined, address: undefined });
    // A combination of two fields has four selections.
    const pairs = NAMES.flatMap((one, index) => NAMES.slice(index + 1).map((other) => [one, other]));
    for (const pair of pairs.slice(0, 17)) {
      const variables = Object.fromEntries(NAMES.map((name) => [name, pair.includes(name)]));
      await engine.execute(operation, variables, { viewer: { kind: 'anonymous' }, requestId: 'a test' });
    }
    expect(operation.selectionCount).toBe(16 * 4);
  });
});

describe('the cache of planned operations', () => {
  const anyone = { name: undefined, address: undefined };

  it('forgets the least recently used ones above its bytes, where fragments count at each use', () => {
    const { plans } = openPlans({ max: 1_000, maxSize: 200_000 });
    const uses = Array.from({ length: 45 }, (_, at) => `a${at}: storagePrice { ...F }`).join(' ');
    const texts = [
      '{ storagePrice { creditsPerGibMonth } }',
      `{ ${uses} } fragment F on StoragePrice { creditsPerGibMonth a: creditsPerGibMonth b: creditsPerGibMonth }`,
    ];
    for (const text of texts) plans.planOrGet(text, parse(text), anyone);
    expect(texts.map((text) => plans.find(text, undefined) !== undefined)).toEqual([false, true]);
  });

  it('forgets the least recently used ones above its number', () => {
    const { plans } = openPlans({ max: 2, maxSize: 1_000_000 });
    const texts = ['a', 'b', 'c'].map((alias) => `{ ${alias}: storagePrice { creditsPerGibMonth } }`);
    for (const text of texts) plans.planOrGet(text, parse(text), anyone);
    expect(texts.map((text) => plans.find(text, undefined) !== undefined)).toEqual([false, true, true]);
  });

  it('knows the allowances of ten thousand client networks, and the least recently used one begins anew', () => {
    const { plans } = openPlans();
    const text = `{ nothing } # ${'x'.repeat(1_000_000)}`;
    const others = Array.from({ length: 10_000 }, (_, at) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`);
    const isAdmitted = () => {
      try {
        plans.admit('{ another }', { name: undefined, address: ADDRESS });
        return true;
      } catch {
        return false;
      }
    };
    plans.chargeInvalid(text, ADDRESS);
    for (const address of others.slice(1)) plans.chargeInvalid(text, address);
    expect(isAdmitted()).toBe(false);
    for (const address of others) plans.chargeInvalid(text, address);
    expect(isAdmitted()).toBe(true);
  });
});

describe('documents without an operation of the name that is asked for', () => {
  it('use the allowance of the client network, too', () => {
    const { engine, plans } = openPlans();
    const documents = new Documents(plans, documentReader(engine.schema, { isLimited: true }));
    const plan = (index: number) =>
      documents.plan(
        { query: `{ storagePrice { creditsPerGibMonth } } # ${index} ${'x'.repeat(300_000)}` },
        { name: 'Nope', address: ADDRESS },
      );
    for (const index of [1, 2, 3]) expect('errors' in plan(index)).toBe(true);
    expect(() => plan(4)).toThrow(/Too many new operations/);
  });
});
