import { Argument, type Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { run, type Session } from '../../session.js';

const CRAWL = graphql('mutation { adminCrawlModels { number isPending finishedAt } }');
const STATE = graphql('query { modelCrawl { number isPending finishedAt } }');
const SET_PROJECT = graphql(`
  mutation ($project: String!, $isPublic: Boolean!, $owner: String) {
    adminSetModelProject(project: $project, isPublic: $isPublic, substrateAddress: $owner) {
      project
      isPublic
      ownerId
    }
  }
`);

const VISIBILITIES = ['public', 'private'] as const;

/** Adds `admin models`. */
export function addModelIndex(admin: Command): void {
  const models = admin.command('models').description('index of the models in the registry');
  models
    .command('crawl')
    .description('compare the index with the whole registry now, instead of within 15 minutes')
    .action(run(crawl));
  models.command('status').description('show the current or last comparison').action(run(showCrawl));
  models
    .command('project <project>')
    .description('set the visibility and the owner of a project, the first part of the names of its repositories')
    .addArgument(new Argument('<visibility>', 'private: only its owner sees its models').choices(VISIBILITIES))
    .argument('[owner]', 'SS58 address of the owner; leave it out for none')
    .option(...YES)
    .action(run(setProject));
}

async function crawl({ client, output, program }: Session): Promise<void> {
  const { adminCrawlModels } = await client.graphql(CRAWL);
  output.done(`the comparison is queued; see ${program} admin models status`, adminCrawlModels);
}

async function showCrawl({ client, output }: Session): Promise<void> {
  output.record((await client.graphql(STATE)).modelCrawl);
}

async function setProject(
  { client, output }: Session,
  [project = '', visibility = '', owner]: readonly string[],
  { yes }: Confirmed,
): Promise<void> {
  if (owner === undefined) await confirm(`Leave ${project} without an owner?`, yes);
  const variables = { project, isPublic: visibility === 'public', owner: owner ?? null };
  const { adminSetModelProject } = await client.graphql(SET_PROJECT, variables);
  const whose = owner === undefined ? 'without an owner' : `of ${owner}`;
  output.done(`${project} is ${visibility}, ${whose}`, adminSetModelProject);
}
