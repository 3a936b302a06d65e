import type { Command } from 'commander';
import { run, type Session } from '../../session.js';
import { GRAPH, resourcesOf } from './graph.js';

/** Adds `net resource`. */
export function addResources(net: Command): void {
  const resource = net.command('resource').description('addresses behind a router');
  resource.command('list').description('list the resources of all networks').action(run(listResources));
}

async function listResources({ client, output }: Session): Promise<void> {
  const graph = await client.graphql(GRAPH);
  output.table(await resourcesOf(client, graph), [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['address', ({ address }) => address],
    ['network', ({ network }) => network],
    [
      'groups',
      (resource) =>
        graph.groups
          .filter(({ id }) => resource.groups.includes(id))
          .map(({ label }) => label)
          .join(', '),
    ],
    ['enabled', ({ enabled }) => (enabled ? 'yes' : 'no')],
  ]);
}
