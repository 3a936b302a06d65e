import { Ctx, Directive, FieldResolver, Resolver, Root } from 'type-graphql';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { OWNER_COST } from '../../../../kernel/subgraph/costs.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { Peer } from '../../graph/peer/peer.js';
import { findPeerOfViewer } from '../../graph/peer/viewer-peers.actions.js';
import { User } from '../../graph/user/user.js';
import { certificateOfPeer, peerIdOfRecord } from './peer-certificate.actions.js';
import { Certificate, OverlayCertificateRecord } from './peer-certificate.js';

@Resolver(() => Peer)
export class PeerCertificateResolver {
  @FieldResolver(() => Certificate, {
    nullable: true,
    description:
      'Its current certificate; null until its machine has joined, and always with an engine that issues none.',
  })
  async certificate(@Root() { id }: Peer, @Ctx() context: Context): Promise<Certificate | null> {
    return (await certificateOfPeer(context, id)) ?? null;
  }
}

@Resolver(() => Certificate)
export class CertificateResolver {
  @FieldResolver(() => Peer, { nullable: true, description: 'The peer that it identifies; null once it is deleted.' })
  async peer(@Root() { peerId }: Certificate, @Ctx() context: Context): Promise<Peer | null> {
    return (await findPeerOfViewer(context, peerId)) ?? null;
  }

  @FieldResolver(() => User, { description: 'You, its owner.' })
  @Directive(OWNER_COST)
  owner(@Ctx() { viewer }: Context): User {
    return { id: requireUser(viewer).userId };
  }

  @FieldResolver(() => OverlayCertificateRecord, {
    nullable: true,
    description: 'The record of the request for it; null if its machine joined with a setup key.',
  })
  record(@Root() { reference }: Certificate): OverlayCertificateRecord | null {
    return reference === null ? null : { reference };
  }
}

@Resolver(() => OverlayCertificateRecord)
export class CertificateRecordResolver {
  @FieldResolver(() => Peer, { nullable: true, description: 'The peer of the certificate; null after its revocation.' })
  async peer(@Root() { reference }: OverlayCertificateRecord, @Ctx() context: Context): Promise<Peer | null> {
    const id = await peerIdOfRecord(context, reference);
    return id === undefined ? null : ((await findPeerOfViewer(context, id)) ?? null);
  }
}
