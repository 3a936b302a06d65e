import { graphql, type ResultOf } from '../../../sdk/src/index.js';
import { UsageError } from '../../failure.js';

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
export const groupOf = (graph: Graph, word: string) => pick(graph.groups, word, ({ label }) => label, 'group');
/** Finds a machine by its label or id. @throws UsageError */
export const peerOf = (graph: Graph, word: string) => pick(graph.peers, word, ({ label }) => label, 'machine');
/** Finds a policy by its name or id. @throws UsageError */
export const policyOf = (graph: Graph, word: string) => pick(graph.policies, word, ({ name }) => name, 'policy');

/** Finds a row by its name, else by its id. */
function pick<Row extends { readonly id: number }>(
  rows: readonly Row[],
  word: string,
  nameOf: (row: Row) => string,
  kind: string,
): Row {
  const named = rows.filter((row) => nameOf(row) === word);
  if (named.length > 1) throw new UsageError(`More than one ${kind} is named "${word}"; use its id instead.`);
  const row = named[0] ?? rows.find(({ id }) => String(id) === word);
  if (!row) throw new UsageError(`There is no ${kind} "${word}".`);
  return row;
}
