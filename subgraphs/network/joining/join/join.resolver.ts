import { Readable } from 'node:stream';
import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { networkOf } from '../../../../kernel/http/client-network.js';
import type { ByteEndpoint } from '../../../../kernel/subgraph/subgraph.js';
import { checkHostKey } from '../../../../kernel/security/host-key.js';
import type { NetworkContext, NetworkServices } from '../../services.js';
import { joinNetwork, reportConfiguration } from './join.actions.js';
import { JoinedPeer, PeerReport } from './join.js';
import { FoundName } from '../../graph/lookup/lookup.js';
import { withinRefusals } from './join-refusal.actions.js';

@Resolver()
export class JoinResolver {
  @Query(() => String, { description: 'The POSIX shell script that makes a machine join.' })
  joinScript(@Ctx() { services }: NetworkContext): string {
    return services.joinScript;
  }

  @Mutation(() => JoinedPeer, {
    description:
      'Exchanges a setup key and a public key for a place in the private network. Repeating it with the same keys returns the same peer with a new token. Errors: BAD_REQUEST for the public key, UNAUTHENTICATED for a setup key that is unknown, expired or revoked, CONFLICT for a key that another machine used, RATE_LIMITED after many refusals.',
  })
  async joinNetwork(
    @Arg('setupKey', () => String, { description: 'The setup key, as shown at enrollment.' }) setupKey: string,
    @Arg('publicKey', () => String, {
      description:
        'x25519 public key, generated on the machine: PEM as written by `nebula-cert keygen`, or 32 bytes in base64 or hex.',
    })
    publicKey: string,
    @Ctx() context: NetworkContext,
  ): Promise<JoinedPeer> {
    const { database, services, clientAddress, now } = context;
    const joining = { setupKey, publicKey: checkHostKey(publicKey) };
    const at = now();
    const attempt = { database, origin: networkOf(clientAddress), now: at, maxRefusals: services.refusalsPerMinute };
    return withinRefusals(attempt, () => joinNetwork(context, joining, at));
  }

  @Mutation(() => PeerReport, {
    description:
      'Records the configuration that a machine runs and, for a router, the addresses of names it resolved. A refused report records nothing; after a failure of the platform, its addresses may be recorded. Errors: UNAUTHENTICATED for the token, FORBIDDEN for another peer, BAD_REQUEST for an invalid hash, names the peer is not configured to resolve and addresses it cannot route, CONFLICT for too many addresses, RATE_LIMITED when they change too often.',
  })
  async reportConfiguration(
    @Arg('peerToken', () => String, { description: 'The machine’s token, which it received when it joined.' })
    peerToken: string,
    @Arg('applied', () => String, { description: 'SHA-256 of the running configuration, 64 hex digits.' })
    applied: string,
    @Arg('peer', () => Int, { nullable: true, description: 'Id of the reporting peer, if given.' }) peer: number | null,
    @Arg('names', () => [FoundName], {
      nullable: true,
      description: 'Names behind this router with their addresses. Omitted names keep their addresses.',
    })
    names: FoundName[] | null,
    @Ctx() { database, now }: NetworkContext,
  ): Promise<PeerReport> {
    const report = { token: peerToken, applied, about: peer ?? undefined, names: names ?? [] };
    return reportConfiguration(database, report, now());
  }
}

/** Opens the join script as bytes. */
export const openJoinScript: ByteEndpoint = async (_parameters, { services }) => {
  const text = Buffer.from((services as NetworkServices).joinScript);
  const meta = { 'content-type': 'text/plain; charset=utf-8', 'accept-ranges': 'none' };
  return { meta, length: text.length, stream: Readable.from([text]) };
};
