import { print, validate, type GraphQLSchema } from 'graphql';
import { Experiment, type Difference } from './experiment.js';
import type { Request } from './executors.js';
import type { SubgraphSdl } from './facts.js';
import { randomRequest } from './random-operation.js';
import { shrinkRequest, shrinkSubgraphs } from './shrink.js';
import type { Chaos } from './world.js';

/** No failures, nulls only, and everything. */
const WEATHER: readonly Chaos[] = [
  { failures: 0, nulls: 0, violations: 0 },
  { failures: 0, nulls: 10, violations: 0 },
  { failures: 4, nulls: 10, violations: 1 },
];

/** What a run of random operations did. */
export interface Report {
  readonly operations: number;
  /** The first failure with its seed and the smallest supergraph and operation that show it. */
  readonly failure: string | undefined;
}

/** Runs random operations over one supergraph until one fails. Subgraphs that do not compose have none. */
export async function tryOperations(sources: readonly SubgraphSdl[], seed: string, count: number): Promise<Report> {
  const experiment = Experiment.of(sources);
  if (!experiment) return { operations: 0, failure: undefined };
  let operations = 0;
  for (let i = 0; i < count; i++) {
    const trial = {
      seed: `${seed}/${i}`,
      chaos: WEATHER[i % WEATHER.length] ?? { failures: 0, nulls: 0, violations: 0 },
    };
    const request = randomRequest(experiment.schema, trial.seed);
    if (!request) continue;
    operations++;
    const difference = await differenceIn(experiment, request, trial);
    if (difference) return { operations, failure: await explain(experiment, sources, request, trial) };
  }
  return { operations, failure: undefined };
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

async function explain(experiment: Experiment, sources: readonly SubgraphSdl[], original: Request, trial: Trial) {
  const fails = async (subgraphs: readonly SubgraphSdl[], request: Request) => {
    const smaller = Experiment.of(subgraphs);
    return (
      smaller !== undefined &&
      isValidFor(smaller.schema, request) &&
      (await differenceIn(smaller, request, trial)) !== undefined
    );
  };
  const request = await shrinkRequest(
    experiment.schema,
    original,
    async (smaller) => (await differenceIn(experiment, smaller, trial)) !== undefined,
  );
  const subgraphs = await shrinkSubgraphs(sources, (smaller) => fails(smaller, request));
  const difference = await differenceIn(Experiment.of(subgraphs) ?? experiment, request, trial);
  return [
    `seed ${trial.seed}: ${difference?.reason ?? 'passes now'}`,
    ...subgraphs.map(({ name, sdl }) => `# subgraph ${name}\n${sdl}`),
    `${print(request.document)}\n${request.operationName} ${JSON.stringify(request.variables)}`,
    `expected ${JSON.stringify(difference?.alone)}`,
    `got      ${JSON.stringify(difference?.federated)}`,
    ...(difference?.requests ?? []),
  ].join('\n');
}

function isValidFor(schema: GraphQLSchema, { document }: Request): boolean {
  return validate(schema, document).length === 0;
}
