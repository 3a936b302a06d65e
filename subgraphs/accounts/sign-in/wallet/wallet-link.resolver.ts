import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { countByAddress } from '../../identity/rate-limit/rate.actions.js';
import { User } from '../../identity/user/user.js';
import type { AccountsContext } from '../../services.js';
import { addressPair, answeredChallenge, createChallenge } from './challenge.actions.js';
import { Challenge } from './sign-in.js';
import { CHALLENGES_PER_VERIFICATION } from './sign-in.rules.js';
import { linkWallet, nameOfUserWithoutWallet } from './wallet-link.actions.js';

@Resolver()
export class WalletLinkResolver {
  @Mutation(() => Challenge, {
    description:
      'Starts to link a wallet to your account, which was created by a social sign-in and has none. The challenge is for your account only. Errors BAD_REQUEST for invalid addresses, CONFLICT if your account has a wallet, FORBIDDEN for services, RATE_LIMITED above 120 per minute from one client address.',
  })
  async createWalletLinkChallenge(
    @Arg('address', () => String, { description: 'Ethereum address.' }) address: string,
    @Arg('substrateAddress', () => String, { description: 'SS58 address, network 42.' }) substrateAddress: string,
    @Ctx() context: AccountsContext,
  ): Promise<Challenge> {
    const { database, publicUrl, now } = context;
    const { userId } = requireUser(context.viewer);
    await countByAddress(context, 'challenge', CHALLENGES_PER_VERIFICATION);
    const purpose = { ...(await addressPair(address, substrateAddress)), linkUserId: userId };
    const linkTo = await nameOfUserWithoutWallet(database, userId);
    return createChallenge(database, purpose, { publicUrl, now: now(), linkTo });
  }

  @Mutation(() => User, {
    description:
      'Links the wallet that signed the challenge to your account: from then on you can also sign in with it, and its SS58 address owns your files. Errors BAD_REQUEST for malformed values, UNAUTHENTICATED for a wrong signature or a used challenge, CONFLICT if your account has a wallet, or another account has this one or has proved this SS58 address, FORBIDDEN for services, RATE_LIMITED above 30 per minute from one client address.',
  })
  async linkWallet(
    @Arg('address', () => String, { description: 'The same value as in the challenge.' }) address: string,
    @Arg('substrateAddress', () => String, { description: 'The same value as in the challenge.' })
    substrateAddress: string,
    @Arg('challenge', () => String, { description: 'Id of the challenge.' }) challenge: string,
    @Arg('signature', () => String, { description: 'Signature of `message` by the Ethereum key: 0x, r, s, v.' })
    signature: string,
    @Arg('substrateSignature', () => String, {
      nullable: true,
      description:
        'Signature of `message` by the SS58 key; proves ownership of that address, also against an account that only claims it.',
    })
    substrateSignature: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<User> {
    const { database, jobs, log, now } = context;
    const { userId } = requireUser(context.viewer);
    await countByAddress(context, 'verify', 1);
    const purpose = { ...(await addressPair(address, substrateAddress)), linkUserId: userId };
    const answer = { signature, challenge, substrateSignature };
    const answered = await answeredChallenge(database, purpose, answer, now());
    const proved = Boolean(substrateSignature);
    return linkWallet(database, answered, { userId, proved, jobs, log, now: now() });
  }
}
