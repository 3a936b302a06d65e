// Compares the engine with one server over many operations: `many-trials.js random|platform OPERATIONS WORLDS SEED`.
// A process of its own, because in the sandbox of jest the same work takes half as much CPU again. Prints a report as JSON.
import { readFileSync } from 'node:fs';
import { packageRoot } from '../../../kernel/package-root.js';
import { randomSubgraphs } from './random/random-supergraph.js';
import { tryOperations, type Report } from './trials.js';

const PER_SUPERGRAPH = 200;

const [, , kind, operationsText, worldsText, seed = ''] = process.argv;
const [operations, worlds] = [Number(operationsText), Number(worldsText)];
const report = await (kind === 'platform' ? overPlatform() : overRandomSupergraphs());
process.stdout.write(JSON.stringify(report));

async function overRandomSupergraphs(): Promise<Report> {
  let cases = 0;
  for (let i = 0; cases < operations; i++) {
    const name = `${seed}-${i}`;
    const count = Math.min(PER_SUPERGRAPH, Math.ceil((operations - cases) / worlds) + 10);
    const { cases: tried, failure } = await tryOperations(randomSubgraphs(name), name, { operations: count, worlds });
    cases += tried;
    if (failure !== undefined) return { cases, failure };
  }
  return { cases, failure: undefined };
}

async function overPlatform(): Promise<Report> {
  const subgraphs = ['accounts', 'infrastructure', 'network', 'sync'].map((name) => ({
    name,
    sdl: readFileSync(`${packageRoot()}/schema/${name}.graphql`, 'utf8'),
  }));
  return tryOperations(subgraphs, seed, { operations: Math.ceil(operations / worlds), worlds });
}
