import { describe, expect, it } from '@jest/globals';
import { runToEnd } from '../../kit/run.js';

/**
 * More cases: `ENGINE_OPERATIONS=1000000 ENGINE_WORLDS=50 ENGINE_SEED=2` tries 20 000 operations over 50 worlds of data
 * each. An operation takes 6 ms of CPU, each further world 1 ms.
 */
const CASES = Number(process.env['ENGINE_OPERATIONS'] ?? (process.env['TEST_COMMAND'] === 'all' ? 10_000 : 400));
const WORLDS = Number(process.env['ENGINE_WORLDS'] ?? 1);
const SEED = process.env['ENGINE_SEED'] ?? '1';
/** Operations over the supergraph of the platform: few would be too small a sample for the bound below. */
const OWN_CASES = Math.max(CASES / 10, 400);

describe('the engine answers as one server with the same data would', () => {
  it.each([
    ['random supergraphs', 'random', CASES],
    ['the supergraph of the platform', 'platform', OWN_CASES],
  ])(
    'over %s',
    async (_name, kind, operations) => {
      const words = [kind, operations, WORLDS, SEED].map(String);
      const { code, stdout, stderr } = await runToEnd(['tests/kit/federation/many-trials.js', ...words], {});
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const { cases, failure } = JSON.parse(stdout);
      expect(failure).toBeUndefined();
      expect(cases).toBeGreaterThan(operations * 0.9);
    },
    86_400_000,
  );
});
