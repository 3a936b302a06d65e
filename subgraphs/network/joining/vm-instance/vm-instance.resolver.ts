import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { findPeerOfViewer } from '../../graph/peer/viewer-peers.actions.js';
import { Peer } from '../../graph/peer/peer.js';
import { certificateOfPeer } from '../../certificates/peer-certificate/peer-certificate.actions.js';
import { Certificate } from '../../certificates/peer-certificate/peer-certificate.js';
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

  @FieldResolver(() => Certificate, {
    nullable: true,
    description: 'The current certificate of its peer; null until it has joined your private network.',
  })
  async certificate(@Root() { uuid }: VmInstance, @Ctx() context: Context): Promise<Certificate | null> {
    const found = await peerOfMachine(context, uuid);
    return found ? ((await certificateOfPeer(context, found.peer)) ?? null) : null;
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
