import { print, validate, type GraphQLSchema } from 'graphql';
import { Experiment, type Difference } from './experiment.js';
import type { Request } from './executors.js';
import type { SubgraphSdl } from './facts.js';
import { withRandomDefers } from './random/random-defers.js';
import { randomRequest } from './random/random-operation.js';
import { shrinkRequest, shrinkSubgraphs } from './shrink.js';
import type { Chaos } from './random/world.js';

const CALM: Chaos = { failures: 0, nulls: 0, violations: 0 };

/** No failures, nulls only, and everything. */
const WEATHER: readonly Chaos[] = [
  CALM,
  { failures: 0, nulls: 10, violations: 0 },
  { failures: 4, nulls: 10, violations: 1 },
];

/** For requests that fetch more than they select: the failures of the rest are reported, too (decision 0002). */
const WITHOUT_FAILURES = 2;

/** What a run of random operations did. */
export interface Report {
  /** Operations, each time over other data. */
  readonly cases: number;
  /** The first failure with its seed and the smallest supergraph and operation that show it. */
  readonly failure: string | undefined;
}

/** How many cases to try. */
interface Amount {
  /** The number of the first operation; undefined: 0. */
  readonly first?: number;
  readonly operations: number;
  /** Over how much data each operation is executed. It is planned once. */
  readonly worlds: number;
}

/** Runs random operations over one supergraph until one fails. Subgraphs that do not compose have none. */
export async function tryOperations(
  sources: readonly SubgraphSdl[],
  seed: string,
  { first = 0, operations, worlds }: Amount,
): Promise<Report> {
  const experiment = Experiment.of(sources);
  let cases = 0;
  if (!experiment) return { cases, failure: undefined };
  for (let i = first; i < first + operations; i++) {
    const request = requestOf(experiment.schema, `${seed}/${i}`, i);
    if (!request) continue;
    for (let world = 0; world < worlds; world++) {
      const chaos = WEATHER[(i + world) % (request.isNarrowed ? WITHOUT_FAILURES : WEATHER.length)] ?? CALM;
      const trial = { seed: world === 0 ? `${seed}/${i}` : `${seed}/${i}+${world}`, chaos };
      cases++;
      const difference = await differenceIn(experiment, request, trial);
      if (difference)
        return { cases, failure: await explain(experiment, sources, request, { ...trial, reason: difference.reason }) };
    }
  }
  return { cases, failure: undefined };
}

/**
 * Every fourth operation has deferred fragments, but those that narrow an interface object: the planner may not end on them
 * (decision 0002).
 */
function requestOf(schema: GraphQLSchema, seed: string, index: number) {
  const request = randomRequest(schema, seed);
  return request && !request.isNarrowed && index % 4 === 3
    ? { ...request, ...withRandomDefers(schema, request, seed) }
    : request;
}

interface Trial {
  readonly seed: string;
  readonly chaos: Chaos;
}

async function differenceIn(
  experiment: Experiment,
  request: Request,
  { seed, chaos }: Trial,
): Promise<Difference | undefined> {
  try {
    return await experiment.run(request, seed, chaos);
  } catch (error) {
    return { reason: `thrown: ${String(error)}`, federated: {}, alone: {}, requests: [] };
  }
}

/** A trial that has failed. */
interface Failure extends Trial {
  readonly reason: string;
}

async function explain(experiment: Experiment, sources: readonly SubgraphSdl[], original: Request, trial: Failure) {
  const fails = async (subgraphs: readonly SubgraphSdl[], request: Request) => {
    const smaller = Experiment.of(subgraphs);
    return (
      smaller !== undefined &&
      isValidFor(smaller.schema, request) &&
      (await differenceIn(smaller, request, trial))?.reason === trial.reason
    );
  };
  const request = await shrinkRequest(
    experiment.schema,
    original,
    async (smaller) => (await differenceIn(experiment, smaller, trial))?.reason === trial.reason,
  );
  const subgraphs = await shrinkSubgraphs(sources, (smaller) => fails(smaller, request));
  const difference = await differenceIn(Experiment.of(subgraphs) ?? experiment, request, trial);
  return [
    `seed ${trial.seed}: ${difference?.reason ?? 'passes now'}`,
    ...subgraphs.map(({ name, sdl }) => `# subgraph ${name}\n${sdl}`),
    `${print(request.document)}\n${request.operationName} ${JSON.stringify(request.variables)}`,
    `expected ${JSON.stringify(difference?.alone)}`,
    `got      ${JSON.stringify(difference?.federated)}`,
    ...(difference?.requests ?? []).map(
      ({ subgraph, query, variables, json }) => `${subgraph}: ${query} ${JSON.stringify(variables)} -> ${json}`,
    ),
  ].join('\n');
}

function isValidFor(schema: GraphQLSchema, { document }: Request): boolean {
  return validate(schema, document).length === 0;
}
