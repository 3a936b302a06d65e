import { graphql, type Archipelago, type ResultOf } from '../../../sdk/src/index.js';
import { findRow } from '../../find-row.js';
import type { Session } from '../../session.js';

export const GRAPH = graphql(`
  query {
    groups {
      id
      label
      isDefault
    }
    peers {
      id
      label
      ip
      status
      groups
      lastSeen
    }
    policies {
      id
      name
      sourceGroupId
      destGroupId
      protocol
      ports
      bidirectional
      action
      enabled
      isManaged
    }
    networks {
      id
      name
      description
    }
  }
`);
type Graph = ResultOf<typeof GRAPH>;

/** What is in a network. */
export const INSIDE = graphql(`
  query ($id: Int!) {
    resources(networkId: $id) {
      id
      name
      address
      groups
      enabled
    }
    routers(networkId: $id) {
      peerId
      metric
      masquerade
      enabled
    }
  }
`);

export const PROTOCOLS = ['tcp', 'udp', 'icmp', 'all'] as const;

/** Finds a group by its label or id. @throws UsageError */
export const groupOf = (graph: Graph, word: string, { program }: Session) =>
  findRow(graph.groups, word, { kind: 'group', namesOf: ({ label }) => [label], list: `${program} net group list` });
/** Finds a machine by its label or id. @throws UsageError */
export const peerOf = (graph: Graph, word: string, { program }: Session) =>
  findRow(graph.peers, word, { kind: 'machine', namesOf: ({ label }) => [label], list: `${program} net peer list` });
/** Finds a policy by its name or id. @throws UsageError */
export const policyOf = (graph: Graph, word: string, { program }: Session) =>
  findRow(graph.policies, word, { kind: 'policy', namesOf: ({ name }) => [name], list: `${program} net policy list` });

/** Returns the resources of all networks, with the name of theirs. */
export async function resourcesOf(client: Archipelago, { networks }: Graph) {
  const lists = networks.map(async ({ id, name: network }) => {
    const { resources } = await client.graphql(INSIDE, { id });
    return resources.map((resource) => ({ ...resource, network }));
  });
  return (await Promise.all(lists)).flat();
}

/** Finds a machine by its label or id, else a resource by its name. Returns it as `peer:3` or `resource:5`. @throws UsageError */
export async function nodeOf(graph: Graph, word: string, { client, program }: Session): Promise<string> {
  const peers = graph.peers.map(({ id, label }) => ({ id: `peer:${id}`, names: [label, String(id)] }));
  if (peers.some(({ id, names }) => id === word || names.includes(word)))
    return findRow(peers, word, { kind: 'machine', namesOf: ({ names }) => names, list: `${program} net peer list` })
      .id;
  const resources = (await resourcesOf(client, graph)).map(({ id, name }) => ({ id: `resource:${id}`, names: [name] }));
  const list = `${program} net peer list and ${program} net resource list`;
  return findRow(resources, word, { kind: 'machine or resource', namesOf: ({ names }) => names, list }).id;
}
