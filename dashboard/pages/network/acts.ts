import { useMemo } from 'react';
import { useClient, type Client } from 'urql';
import { loadCode } from '../../runtime/code';
import { confirm } from '../../components/overlays/confirm';
import { showToast } from '../../components/toasts';
import { done, type Result } from '../../graphql/done';
import type { GraphNode } from '../../topology/graph';
import type { GroupModel, Model, PolicyModel } from '../../topology/model';
import { confirmPlan } from './dialogs/confirm-plan';
import type { PeerGroups } from './dialogs/groups-plan';
import {
  DELETE_GROUP,
  DELETE_PEER,
  DELETE_POLICY,
  DELETE_RESOURCE,
  DELETE_ROUTER,
  ENABLE_POLICY,
  LAST_CHANGES,
  SET_GROUPS,
  UNDO,
} from './operations';

/** What can be done to parts of the network. Each tells what it did and offers to undo it. */
export function useActs() {
  const client = useClient();
  return useMemo(() => actsOf(client), [client]);
}

export type Acts = ReturnType<typeof actsOf>;

function actsOf(client: Client) {
  let dismissLast = () => undefined as void;
  const undo = async (id?: string) => {
    await done(client.mutation(UNDO, id === undefined ? {} : { id }));
    // Its Undo would be refused: the change is not the last one any more.
    dismissLast();
    showToast('The change is undone.');
  };
  /** Makes a change and tells it. The toast undoes this change and no other: the server refuses if another came after. */
  const change = async <Data>(text: string, work: () => PromiseLike<Result<Data>>) => {
    const [before] = await lastChanges(client, 1);
    await done(work());
    // If others change the network at the same time, the first change is never newer than this one.
    const after = await lastChanges(client, 20).catch(() => []);
    const made = after.findLast(({ revision }) => revision > (before?.revision ?? 0));
    dismissLast();
    dismissLast = showToast(text, made && { label: 'Undo', run: () => undo(made.id) });
  };
  return {
    change,
    undo,
    ...policyActs(client, change),
    deleteGroup({ groupId, node }: GroupModel) {
      return change(`The group ${node.label} is deleted.`, () => client.mutation(DELETE_GROUP, { id: groupId }));
    },
    async deletePeer({ label, meta }: GraphNode) {
      const text = 'All other peers refuse it from then on. To come back, it has to be enrolled again.';
      if (!(await confirm({ title: `Delete ${label}?`, text, action: 'Delete the peer' }))) return;
      await done(client.mutation(DELETE_PEER, { id: meta.peerId ?? 0 }));
      showToast(`The peer ${label} is deleted.`);
    },
    /** Tells also who gains and who loses by it. */
    async setGroups(wanted: PeerGroups, text = `The groups of ${wanted.peer.label} are changed.`) {
      const { planWords } = await loadCode(() => import('./dialogs/groups-plan'));
      const words = await planWords(client, wanted);
      const variables = { id: wanted.peer.meta.peerId ?? 0, groups: [...wanted.groups] };
      return change(text + words, () => client.mutation(SET_GROUPS, variables));
    },
    deleteResource({ label, meta }: GraphNode) {
      const variables = { networkId: meta.networkId ?? 0, id: meta.resourceId ?? 0 };
      return change(`The resource ${label} is deleted.`, () => client.mutation(DELETE_RESOURCE, variables));
    },
    deleteRouter({ label, meta }: GraphNode) {
      const variables = { networkId: meta.networkId ?? 0, id: meta.routerId ?? 0 };
      return change(`The router ${label} is deleted.`, () => client.mutation(DELETE_ROUTER, variables));
    },
  };
}

/** Makes a change and tells it. */
type Change = <Data>(text: string, work: () => PromiseLike<Result<Data>>) => Promise<void>;

/** What can be done to policies, after the user has seen who gains and who loses. */
function policyActs(client: Client, change: Change) {
  return {
    async setEnabled(policy: PolicyModel) {
      const { policyId: id, edge } = policy;
      const enabled = edge.meta.enabled !== true;
      if (!(await confirmPlan(enabled ? 'Enable' : 'Disable', policy, { enabled }))) return;
      const text = enabled ? 'The policy is enabled.' : 'The policy is disabled.';
      await change(text, () => client.mutation(ENABLE_POLICY, { id, enabled }));
    },
    async deletePolicy(policy: PolicyModel) {
      if (!(await confirmPlan('Delete', policy, { delete: true }))) return;
      await change('The policy is deleted.', () => client.mutation(DELETE_POLICY, { id: policy.policyId }));
    },
  };
}

/** Moves a peer from one group to another. All three are nodes of the graph. */
export async function movePeer(
  acts: Acts,
  model: Model,
  [peerNode, from, to]: readonly [peer: string, from: string, to: string],
): Promise<void> {
  const { peers, groupOf } = model;
  const peer = peers.find(({ id }) => id === peerNode);
  const [source, target] = [groupOf.get(from), groupOf.get(to)];
  if (!peer || !source || !target) return;
  const groups = [...new Set(peer.meta.groups).difference(new Set([source.groupId])).add(target.groupId)];
  const text = `${peer.label} is moved from ${source.node.label} to ${target.node.label}.`;
  await acts.setGroups({ peer, groups, model }, text);
}

/** The last changes of the network, newest first. */
async function lastChanges(client: Client, limit: number) {
  const answer = await done(client.query(LAST_CHANGES, { limit }, { requestPolicy: 'network-only' }));
  return answer.networkChanges;
}
