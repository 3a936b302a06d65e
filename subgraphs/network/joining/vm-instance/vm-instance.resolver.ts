import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { findPeerOfViewer } from '../../graph/peer/viewer-peers.actions.js';
import { Peer } from '../../graph/peer/peer.js';
import { machineOfPeer, peerOfMachine } from './vm-instance.actions.js';
import { VmInstance } from './vm-instance.js';

@Resolver(() => VmInstance)
export class VmInstanceResolver {
  @FieldResolver(() => Peer, {
    nullable: true,
    description: 'The peer as which it joined your private network, or which you attached; null if there is none.',
  })
  async peer(@Root() { uuid }: VmInstance, @Ctx() context: Context): Promise<Peer | null> {
    const found = await peerOfMachine(context, uuid);
    return found ? ((await findPeerOfViewer(context, found.peer)) ?? null) : null;
  }
}

@Resolver(() => Peer)
export class PeerMachineResolver {
  @FieldResolver(() => VmInstance, {
    nullable: true,
    description: 'Your virtual machine that is this peer; null if the platform does not run the machine.',
  })
  async vmInstance(@Root() { id }: Peer, @Ctx() context: Context): Promise<VmInstance | null> {
    const found = await machineOfPeer(context, id);
    return found ? { uuid: found.vm } : null;
  }
}
