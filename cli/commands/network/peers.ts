import type { Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { run, type Session } from '../../session.js';
import { GRAPH, groupOf, peerOf } from './graph.js';

const DELETE_PEER = graphql('mutation ($id: Int!) { deletePeer(id: $id) }');

const UPDATE_PEER = graphql(
  'mutation ($id: Int!, $groups: [Int!], $label: String) { updatePeer(id: $id, groups: $groups, label: $label) { id label groups } }',
);

/** Adds `net peer`. */
export function addPeers(net: Command): void {
  const peer = net.command('peer').description('machines in the network');
  peer.command('list').description('list machines').action(run(listPeers));
  peer.command('move <peer> <groups...>').description('set the groups of a machine').action(run(movePeer));
  peer.command('rename <peer> <label>').description('give a machine another label').action(run(renamePeer));
  peer
    .command('rm <peer>')
    .description('remove a machine')
    .option(...YES)
    .action(run(removePeer));
}

async function listPeers({ client, output }: Session): Promise<void> {
  const { peers, groups } = await client.graphql(GRAPH);
  output.table(peers, [
    ['id', ({ id }) => id],
    ['label', ({ label }) => label],
    ['address', ({ ip }) => ip],
    ['status', ({ status }) => status],
    [
      'groups',
      (peer) =>
        groups
          .filter(({ id }) => peer.groups.includes(id))
          .map(({ label }) => label)
          .join(', '),
    ],
    ['last seen', ({ lastSeen }) => lastSeen],
  ]);
}

async function movePeer(session: Session, [peer = '', ...labels]: readonly string[]): Promise<void> {
  const { client, output } = session;
  const graph = await client.graphql(GRAPH);
  const groups = labels.map((label) => groupOf(graph, label, session).id);
  const { id } = peerOf(graph, peer, session);
  const { updatePeer } = await client.graphql(UPDATE_PEER, { id, groups, label: null });
  output.done(`${peer} is in ${labels.join(', ')}`, updatePeer);
}

async function renamePeer(session: Session, [peer = '', label = '']: readonly string[]): Promise<void> {
  const { client, output } = session;
  const { id } = peerOf(await client.graphql(GRAPH), peer, session);
  const { updatePeer } = await client.graphql(UPDATE_PEER, { id, groups: null, label });
  output.done(`${peer} is now ${updatePeer.label}`, updatePeer);
}

async function removePeer(session: Session, [peer = '']: readonly string[], { yes }: Confirmed): Promise<void> {
  const { client, output } = session;
  const { id } = peerOf(await client.graphql(GRAPH), peer, session);
  await confirm(`Remove ${peer} from the network?`, yes, 'removed');
  await client.graphql(DELETE_PEER, { id });
  output.done(`removed ${peer}`, { id });
}
