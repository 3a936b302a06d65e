import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { packageRoot } from '../../../kernel/package-root.js';
import { randomSubgraphs } from '../../kit/federation/random/random-supergraph.js';
import { tryOperations } from '../../kit/federation/trials.js';

/**
 * More cases: `ENGINE_OPERATIONS=1000000 ENGINE_WORLDS=50 ENGINE_SEED=2` tries 20 000 operations over 50 worlds of data
 * each. An operation takes 9 ms of CPU, each further world 1.6 ms.
 */
const CASES = Number(process.env['ENGINE_OPERATIONS'] ?? (process.env['TEST_COMMAND'] === 'all' ? 10_000 : 400));
const WORLDS = Number(process.env['ENGINE_WORLDS'] ?? 1);
const SEED = process.env['ENGINE_SEED'] ?? '1';
const PER_SUPERGRAPH = 200;
const OWN_SHARE = 0.1;

describe('the engine answers as one server with the same data would', () => {
  it('over random supergraphs', async () => {
    let cases = 0;
    for (let i = 0; cases < CASES; i++) {
      const seed = `${SEED}-${i}`;
      const operations = Math.min(PER_SUPERGRAPH, Math.ceil((CASES - cases) / WORLDS) + 10);
      const report = await tryOperations(randomSubgraphs(seed), seed, { operations, worlds: WORLDS });
      expect(report.failure).toBeUndefined();
      cases += report.cases;
    }
  }, 86_400_000);

  it('over the supergraph of the platform', async () => {
    const subgraphs = ['accounts', 'infrastructure', 'network', 'sync'].map((name) => ({
      name,
      sdl: readFileSync(`${packageRoot()}/schema/${name}.graphql`, 'utf8'),
    }));
    const operations = Math.ceil((CASES * OWN_SHARE) / WORLDS);
    const report = await tryOperations(subgraphs, SEED, { operations, worlds: WORLDS });
    expect(report.failure).toBeUndefined();
  }, 86_400_000);
});
