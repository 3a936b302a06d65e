import type { Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { run, type Session } from '../../session.js';
import { GRAPH, groupOf } from './graph.js';

const ADD_GROUP = graphql('mutation ($label: String!) { createGroup(label: $label) { id label } }');

const RENAME_GROUP = graphql(
  'mutation ($id: Int!, $label: String!) { updateGroup(id: $id, label: $label) { id label } }',
);

const REMOVE_GROUP = graphql('mutation ($id: Int!) { deleteGroup(id: $id) }');

/** Adds `net group`. */
export function addGroups(net: Command): void {
  const group = net.command('group').description('groups of machines');
  group.command('list').description('list groups').action(run(listGroups));
  group.command('create <label>').alias('add').description('create a group').action(run(addGroup));
  group.command('rename <group> <label>').description('give a group another label').action(run(renameGroup));
  group
    .command('rm <label>')
    .description('delete a group')
    .option(...YES)
    .action(run(removeGroup));
}

async function listGroups({ client, output }: Session): Promise<void> {
  const { groups, peers } = await client.graphql(GRAPH);
  output.table(groups, [
    ['id', ({ id }) => id],
    ['label', ({ label }) => label],
    ['machines', ({ id }) => peers.filter((peer) => peer.groups.includes(id)).length],
  ]);
}

async function addGroup({ client, output }: Session, [label = '']: readonly string[]): Promise<void> {
  const { createGroup } = await client.graphql(ADD_GROUP, { label });
  output.done(`${label} has the id ${createGroup.id}`, createGroup);
}

async function renameGroup(session: Session, [group = '', label = '']: readonly string[]): Promise<void> {
  const { client, output } = session;
  const { id } = groupOf(await client.graphql(GRAPH), group, session);
  const { updateGroup } = await client.graphql(RENAME_GROUP, { id, label });
  output.done(`${group} is now ${updateGroup.label}`, updateGroup);
}

async function removeGroup(session: Session, [label = '']: readonly string[], { yes }: Confirmed): Promise<void> {
  const { client, output } = session;
  const { id } = groupOf(await client.graphql(GRAPH), label, session);
  await confirm(`Delete the group ${label}?`, yes, 'deleted');
  await client.graphql(REMOVE_GROUP, { id });
  output.done(`deleted ${label}`, { id });
}
