import type { Client } from 'urql';
import { counted } from '../../../components/format';
import { done } from '../../../graphql/done';
import type { GraphNode } from '../../../topology/graph';
import type { Model } from '../../../topology/model';
import { PLAN_NETWORK } from '../operations';

/** The groups that a peer shall have. */
export interface PeerGroups {
  readonly peer: GraphNode;
  readonly groups: readonly number[];
  readonly model: Model;
}

/** How many connections new groups of a peer open and close, as a sentence; empty if it cannot be planned now. */
export async function planWords(client: Client, { peer, groups, model }: PeerGroups): Promise<string> {
  const labels = model.groups.filter(({ groupId }) => groups.includes(groupId)).map(({ node }) => node.label);
  const document = { peers: [{ id: peer.meta.peerId, label: peer.label, groups: labels }] };
  const planned = done(client.query(PLAN_NETWORK, { document }, { requestPolicy: 'network-only' }));
  const plan = await planned.then(({ planNetwork }) => planNetwork).catch(() => undefined);
  if (!plan) return '';
  const words = [
    plan.opensTotal > 0 && `${counted(plan.opensTotal, 'connection')} more`,
    plan.closesTotal > 0 && `${counted(plan.closesTotal, 'connection')} less`,
  ].filter(Boolean);
  return words.length === 0 ? ' No machine reaches more or less than before.' : ` ${words.join(', ')} than before.`;
}
