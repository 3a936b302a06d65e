import type { GraphNode } from '../../../topology/graph';
import type { GroupModel, Model } from '../../../topology/model';

/** Names in a sentence; more are only counted. */
const MAX_NAMED = 5;

/** Checks that nothing uses a group; the server refuses to delete one that is in use. @throws Error that names what uses it */
export function requireUnused({ node, peers, resources }: GroupModel, { policies, groupOf }: Model): void {
  const label = (id: string) => groupOf.get(id)?.node.label ?? id;
  const joined = policies
    .filter(({ source, target }) => source === node.id || target === node.id)
    .map(({ traffic, source, target }) => `${traffic} from ${label(source)} to ${label(target)}`);
  const names = (nodes: readonly GraphNode[]) => nodes.map((one) => one.label);
  const alone = peers.filter(({ meta }) => meta.groups?.length === 1);
  const uses = [
    listed('policies', joined),
    listed('resources', names(resources)),
    listed('peers that are in no other group', names(alone)),
  ].filter(Boolean);
  if (uses.length === 0) return;
  throw new Error(
    `The group ${node.label} cannot be deleted while it is in use. ${uses.join(' ')} Change or delete these first.`,
  );
}

/** The names as a sentence; empty without any. */
function listed(kind: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}: ${names.slice(0, MAX_NAMED).join('; ')}${more}.`;
}
