import { useMemo } from 'react';
import { useClient, type Client } from 'urql';
import { confirm } from '../../components/confirm';
import { tell } from '../../components/toasts';
import { done } from '../../graphql/done';
import type { GraphNode } from '../../topology/graph';
import type { GroupModel, PolicyModel } from '../../topology/model';
import {
  DELETE_GROUP,
  DELETE_PEER,
  DELETE_POLICY,
  DELETE_RESOURCE,
  DELETE_ROUTER,
  ENABLE_POLICY,
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
  const undo = async () => {
    await done(client.mutation(UNDO, {}));
    tell('The change is undone.');
  };
  const told = (text: string) => tell(text, { label: 'Undo', run: undo });
  return {
    told,
    undo,
    async setEnabled({ policyId, edge }: PolicyModel) {
      const enabled = edge.meta.enabled !== true;
      await done(client.mutation(ENABLE_POLICY, { id: policyId, enabled }));
      told(enabled ? 'The policy is enabled.' : 'The policy is disabled.');
    },
    async deletePolicy({ policyId }: PolicyModel) {
      await done(client.mutation(DELETE_POLICY, { id: policyId }));
      told('The policy is deleted.');
    },
    async deleteGroup({ groupId, node }: GroupModel) {
      await done(client.mutation(DELETE_GROUP, { id: groupId }));
      told(`The group ${node.label} is deleted.`);
    },
    async deletePeer({ label, meta }: GraphNode) {
      const text = 'All other peers refuse it from then on. To come back, it has to be enrolled again.';
      if (!(await confirm({ title: `Delete ${label}?`, text, action: 'Delete the peer' }))) return;
      await done(client.mutation(DELETE_PEER, { id: meta.peerId ?? 0 }));
      tell(`The peer ${label} is deleted.`);
    },
    async setGroups({ label, meta }: GraphNode, groups: readonly number[]) {
      await done(client.mutation(SET_GROUPS, { id: meta.peerId ?? 0, groups: [...groups] }));
      told(`The groups of ${label} are changed.`);
    },
    async deleteResource({ label, meta }: GraphNode) {
      await done(client.mutation(DELETE_RESOURCE, { networkId: meta.networkId ?? 0, id: meta.resourceId ?? 0 }));
      told(`The resource ${label} is deleted.`);
    },
    async deleteRouter({ label, meta }: GraphNode) {
      await done(client.mutation(DELETE_ROUTER, { networkId: meta.networkId ?? 0, id: meta.routerId ?? 0 }));
      told(`The router ${label} is deleted.`);
    },
  };
}
