import type { Command } from 'commander';
import { graphql } from '../../sdk/src/index.js';
import { countOf, UsageError } from '../failure.js';
import { warn } from '../output.js';
import { byNumber, rowsUpTo } from '../pages.js';
import { run, type Session } from '../session.js';

const MODELS = graphql(`
  query ($q: String, $format: String, $mine: Boolean, $page: Int, $pageSize: Int) {
    models(q: $q, format: $format, mine: $mine, page: $page, pageSize: $pageSize) {
      total
      results {
        project
        repo
        format
        architecture
        quantization
        parameterCount
        totalSizeBytes
        isPublic
      }
    }
  }
`);

const REGISTRY = graphql('query { modelRegistryState }');

const VERSION = graphql(`
  query ($project: String!, $repo: String!, $reference: String!) {
    modelVersion(project: $project, repo: $repo, reference: $reference) {
      digest
      allTags
      format
      architecture
      quantization
      parameterCount
      totalSizeBytes
      indexedAt
      pullCommand
    }
  }
`);

interface ModelFilter {
  readonly format?: string;
  readonly mine?: boolean;
  readonly limit: string;
}

/** Adds `models`. */
export function addModels(program: Command): void {
  const models = program.command('models').description('models of the registry');
  models
    .command('list [words]')
    .description('list models')
    .option('--format <name>', 'format, such as gguf')
    .option('--mine', 'only models of your projects')
    .option('-n, --limit <count>', 'maximum number of models', '100')
    .action(run(listModels));
  models
    .command('show <model> [reference]')
    .description('show a model: models show project/repo latest')
    .action(run(showModel));
}

async function listModels(
  { client, output }: Session,
  [words]: readonly string[],
  { format, mine, limit }: ModelFilter,
): Promise<void> {
  const filter = { q: words ?? null, format: format ?? null, mine: mine ?? null };
  const rows = await rowsUpTo({
    limit: countOf(limit),
    option: '--limit',
    read: byNumber(async (pageSize, page) => {
      const { models } = await client.graphql(MODELS, { ...filter, page, pageSize });
      return { rows: models.results, total: models.total };
    }),
  });
  output.table(rows, [
    ['model', ({ project, repo }) => `${project}/${repo}`],
    ['format', ({ format: name }) => name],
    ['architecture', ({ architecture }) => architecture],
    ['parameters', ({ parameterCount }) => parameterCount],
    ['bytes', ({ totalSizeBytes }) => totalSizeBytes],
    ['public', ({ isPublic }) => (isPublic ? 'yes' : 'no')],
  ]);
  if (rows.length > 0) return;
  // An older platform does not tell its state.
  const registry = await client.graphql(REGISTRY).catch(() => undefined);
  if (registry?.modelRegistryState === 'missing')
    warn('The platform has no model registry: REGISTRY_URL is not set there.');
}

async function showModel({ client, output }: Session, [model = '', reference = 'latest']: readonly string[]) {
  const [, project, repo] = /^([^/]+)\/(.+)$/.exec(model) ?? [];
  if (project === undefined || repo === undefined) throw new UsageError('Name the model as project/repo.');
  const { modelVersion } = await client.graphql(VERSION, { project, repo, reference });
  output.record(modelVersion);
}
