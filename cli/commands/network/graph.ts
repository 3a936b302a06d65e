import { graphql, type ResultOf } from '../../../sdk/src/index.js';
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
