import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { packageRoot } from '../../../kernel/package-root.js';
import { randomSubgraphs } from '../../kit/federation/random-supergraph.js';
import { tryOperations } from '../../kit/federation/trials.js';

/** More operations: `ENGINE_OPERATIONS=1000000 ENGINE_SEED=2`. One takes 8 ms of CPU. */
const OPERATIONS = Number(process.env['ENGINE_OPERATIONS'] ?? (process.env['TEST_COMMAND'] === 'all' ? 10_000 : 400));
const SEED = process.env['ENGINE_SEED'] ?? '1';
const PER_SUPERGRAPH = 200;
const OWN_SHARE = 0.1;

describe('the engine answers as one server with the same data would', () => {
  it('over random supergraphs', async () => {
    let operations = 0;
    for (let i = 0; operations < OPERATIONS; i++) {
      const seed = `${SEED}-${i}`;
      const subgraphs = randomSubgraphs(seed);
      const report = await tryOperations(subgraphs, seed, Math.min(PER_SUPERGRAPH, OPERATIONS - operations + 10));
      expect(report.failure).toBeUndefined();
      operations += report.operations;
    }
  }, 7_200_000);

  it('over the supergraph of the platform', async () => {
    const subgraphs = ['accounts', 'infrastructure', 'network', 'sync'].map((name) => ({
      name,
      sdl: readFileSync(`${packageRoot()}/schema/${name}.graphql`, 'utf8'),
    }));
    const report = await tryOperations(subgraphs, SEED, Math.ceil(OPERATIONS * OWN_SHARE));
    expect(report.failure).toBeUndefined();
  }, 7_200_000);
});
