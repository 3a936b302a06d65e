import { Option, type Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { portOf } from '../../failure.js';
import { counted } from '../../output.js';
import { run, type Session } from '../../session.js';
import { GRAPH, groupOf, nodeOf, peerOf, PROTOCOLS } from './graph.js';
import { addAuthorities } from './authorities.js';
import { addDocument } from './document.js';
import { addGroups } from './groups.js';
import { addHistory } from './history.js';
import { addInfra } from './infra.js';
import { addKeys } from './keys.js';
import { addPeers } from './peers.js';
import { addPolicies } from './policies.js';
import { addResources } from './resources.js';
import { addUndo } from './undo.js';

const PROVISION = graphql('mutation { provisionTenant { id addressRange status } }');

const REACH = graphql(`
  query ($from: String!, $to: String!, $port: Int, $protocol: PolicyProtocol) {
    reachability(from: $from, to: $to, port: $port, protocol: $protocol) {
      reachable
      reason
      policy {
        id
        name
      }
    }
  }
`);

const ENROLL = graphql(
  'mutation ($group: Int, $label: String) { enrollPeer(groupId: $group, vmLabel: $label) { name joinCommand expiresAt } }',
);

const CHANGES = graphql(`
  subscription {
    topologyChanged {
      revision
      isWhole
      nodes {
        id
        label
      }
      edges {
        id
      }
      removedNodes
      removedEdges
    }
  }
`);

/** Adds `net`. */
export function addNetwork(program: Command): void {
  const net = program.command('net').description('the private network');
  net.command('provision').description('create the private network').action(run(provision));
  net
    .command('enroll')
    .alias('enrol')
    .description('print the command that joins a machine')
    .option('--group <label>', 'group of the machine')
    .option('--label <label>', 'label of the machine')
    .action(run(enroll));
  net
    .command('reach <from> <to>')
    .description('show whether a machine can reach another machine or a resource, and why: net reach laptop server:443')
    .addOption(new Option('--protocol <name>', 'protocol').choices(PROTOCOLS))
    .action(run(reach));
  net.command('watch').description('print changes as they happen, until Ctrl-C').action(run(watch));

  addAuthorities(net);
  addDocument(net);
  addGroups(net);
  addHistory(net);
  addInfra(net);
  addKeys(net);
  addPeers(net);
  addPolicies(net);
  addResources(net);
  addUndo(net);
}

async function provision({ client, output }: Session): Promise<void> {
  const { provisionTenant } = await client.graphql(PROVISION);
  output.done(`the network has the addresses ${provisionTenant.addressRange}`, provisionTenant);
}

async function enroll(
  session: Session,
  _args: readonly string[],
  { group, label }: { readonly group?: string; readonly label?: string },
): Promise<void> {
  const { client, output } = session;
  const id = group === undefined ? null : groupOf(await client.graphql(GRAPH), group, session).id;
  const { enrollPeer } = await client.graphql(ENROLL, { group: id, label: label ?? null });
  output.done(enrollPeer.joinCommand, enrollPeer);
}

/** A node of the topology, as `peer:3`. */
const NODE = /^(?:peer|resource):\d+$/;

/** Parses `name` or `name:port`. @throws UsageError for an invalid port */
function destinationOf(word: string): { readonly name: string; readonly port: number | null } {
  const [, name, port] = (!NODE.test(word) && /^(.*):(\d+)$/.exec(word)) || [];
  return name === undefined || port === undefined ? { name: word, port: null } : { name, port: portOf(port) };
}

async function reach(
  session: Session,
  [from = '', to = '']: readonly string[],
  { protocol }: { readonly protocol?: (typeof PROTOCOLS)[number] },
): Promise<void> {
  const { client, output } = session;
  const { name, port } = destinationOf(to);
  const graph = await client.graphql(GRAPH);
  const variables = {
    from: NODE.test(from) ? from : `peer:${peerOf(graph, from, session).id}`,
    to: NODE.test(name) ? name : await nodeOf(graph, name, session),
    port,
    protocol: protocol ?? (port === null ? null : ('tcp' as const)),
  };
  const { reachability } = await client.graphql(REACH, variables);
  output.done(`${reachability.reachable ? 'yes' : 'no'}: ${reachability.reason}`, reachability);
  if (!reachability.reachable) process.exitCode = 1;
}

async function watch({ client, output }: Session): Promise<void> {
  // Ctrl-C closes the client, which ends the subscription.
  for await (const { topologyChanged: change } of client.subscribe(CHANGES)) {
    if (output.isJson) output.json(change);
    else if (change.isWhole) output.line(`revision ${change.revision}: ${countsOf(change)}`);
    else {
      const changed = change.nodes.map(({ id, label }) => `${id} ${label}`);
      const words = [
        ...changed,
        ...change.edges.map(({ id }) => id),
        ...change.removedNodes.map((id) => `-${id}`),
        ...change.removedEdges.map((id) => `-${id}`),
      ];
      output.line(`revision ${change.revision}: ${words.join(', ')}`);
    }
  }
}

type Parts = Readonly<Record<'nodes' | 'edges', readonly unknown[]>>;

function countsOf({ nodes, edges }: Parts): string {
  return `${counted(nodes.length, 'node', 'nodes')}, ${counted(edges.length, 'edge', 'edges')}`;
}
