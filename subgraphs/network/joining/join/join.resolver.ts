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
  @Query(() => String, { description: 'The script that makes a machine join, for a POSIX shell.' })
  joinScript(@Ctx() { services }: NetworkContext): string {
    return services.joinScript;
  }

  @Mutation(() => JoinedPeer, {
    description:
      'Trades a setup key and a public key for a place in the private network; again with the same two, as an answer may be lost, it is the same place with a new token. Errors: BAD_REQUEST for the public key, UNAUTHENTICATED for a setup key that is unknown, expired or revoked, CONFLICT for one that another machine used, RATE_LIMITED after many refusals.',
  })
  async joinNetwork(
    @Arg('setupKey', () => String, { description: 'As it was shown when the peer was enrolled.' }) setupKey: string,
    @Arg('publicKey', () => String, {
      description: 'x25519, made on the machine: PEM as `nebula-cert keygen` writes it, or 32 bytes in base64 or hex.',
    })
    publicKey: string,
    @Ctx() context: NetworkContext,
  ): Promise<JoinedPeer> {
    const { database, services, clientAddress, now } = context;
    const joining = { setupKey, publicKey: checkHostKey(publicKey) };
    const at = now();
    const attempt = { database, origin: networkOf(clientAddress), now: at, most: services.refusalsPerMinute };
    return withinRefusals(attempt, () => joinNetwork(context, joining, at));
  }

  @Mutation(() => PeerReport, {
    description:
      'Keeps what a machine says it runs, and as a router what it found that names stand for. Errors: UNAUTHENTICATED for the token, FORBIDDEN when it speaks of another peer, BAD_REQUEST for what is no hash, for names it was not asked for and for addresses it cannot lead to, CONFLICT for too many addresses, RATE_LIMITED where they change too often; then nothing of it is kept.',
  })
  async reportConfiguration(
    @Arg('peerToken', () => String, { description: 'Of the machine, as it was given when it joined.' })
    peerToken: string,
    @Arg('applied', () => String, { description: 'SHA-256 of the configuration in force, 64 hex digits.' })
    applied: string,
    @Arg('peer', () => Int, { nullable: true, description: 'Itself, if anything.' }) peer: number | null,
    @Arg('names', () => [FoundName], {
      nullable: true,
      description: 'Names that lie behind it; those that it leaves out stand for what they stood for before.',
    })
    names: FoundName[] | null,
    @Ctx() { database, now }: NetworkContext,
  ): Promise<PeerReport> {
    const report = { token: peerToken, applied, about: peer ?? undefined, names: names ?? [] };
    return reportConfiguration(database, report, now());
  }
}

/** The script as bytes. */
export const openJoinScript: ByteEndpoint = async (_parameters, { services }) => {
  const text = Buffer.from((services as NetworkServices).joinScript);
  const meta = { 'content-type': 'text/plain; charset=utf-8', 'accept-ranges': 'none' };
  return { meta, length: text.length, stream: Readable.from([text]) };
};
