import { Readable } from 'node:stream';
import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import type { ByteEndpoint } from '../../../../kernel/subgraph/subgraph.js';
import type { NetworkContext } from '../../services.js';
import { awaitConfiguration } from './configuration.actions.js';
import { knownHash, waitSecondsOf } from './configuration.rules.js';
import { PeerConfiguration } from './configuration.js';

@Resolver()
export class ConfigurationResolver {
  @Query(() => PeerConfiguration, {
    description: 'The configuration of the machine. Errors: UNAUTHENTICATED for its token, UNAVAILABLE.',
  })
  async peerConfiguration(
    @Arg('peerToken', () => String, { description: 'The machine’s token, which it received when it joined.' })
    peerToken: string,
    @Ctx() context: NetworkContext,
  ): Promise<PeerConfiguration> {
    const { hash, bytes } = await awaitConfiguration(context, { token: peerToken, known: undefined, waitMs: 0 });
    return { hash, text: bytes.toString() };
  }
}

/** Opens the configuration as bytes, with an optional wait for a change; an unchanged one is not sent again. */
export const openConfiguration: ByteEndpoint = async ({ peer_token, known, wait }, context) => {
  const knownByMachine = knownHash(known);
  const { hash, bytes: text } = await awaitConfiguration(context as NetworkContext, {
    token: typeof peer_token === 'string' ? peer_token : '',
    known: knownByMachine,
    waitMs: waitSecondsOf(wait) * 1_000,
  });
  const bytes = hash === knownByMachine ? Buffer.alloc(0) : text;
  const meta = { etag: `"${hash}"`, 'content-type': 'text/plain; charset=utf-8', 'accept-ranges': 'none' };
  return { meta, length: bytes.length, stream: Readable.from([bytes]) };
};
