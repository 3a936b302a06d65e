import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { countByAddress } from '../../identity/rate-limit/rate.actions.js';
import type { AccountsContext } from '../../services.js';
import { addressPair, answeredChallenge, createChallenge } from './challenge.actions.js';
import { completeSignIn } from './sign-in.actions.js';
import { Challenge, SignIn } from './sign-in.js';
import { CHALLENGES_PER_VERIFICATION } from './sign-in.rules.js';

@Resolver()
export class SignInResolver {
  @Mutation(() => Challenge, {
    description:
      'Starts a wallet sign-in. Errors BAD_REQUEST for invalid addresses, RATE_LIMITED above 120 per minute from one client address.',
  })
  async requestChallenge(
    @Arg('address', () => String, { description: 'Ethereum address.' }) address: string,
    @Arg('substrateAddress', () => String, { description: 'SS58 address, network 42.' }) substrateAddress: string,
    @Ctx() context: AccountsContext,
  ): Promise<Challenge> {
    const { database, publicUrl, now } = context;
    await countByAddress(context, 'challenge', CHALLENGES_PER_VERIFICATION);
    const purpose = { ...(await addressPair(address, substrateAddress)), linkUserId: null };
    return createChallenge(database, purpose, { publicUrl, now: now() });
  }

  @Mutation(() => SignIn, {
    description:
      'Completes a wallet sign-in. Errors BAD_REQUEST for malformed or missing values, UNAUTHENTICATED for a wrong signature, RATE_LIMITED above 30 per minute from one client address.',
  })
  async signIn(
    @Arg('address', () => String, { description: 'The same value as in the challenge.' }) address: string,
    @Arg('substrateAddress', () => String, { description: 'The same value as in the challenge.' })
    substrateAddress: string,
    @Arg('signature', () => String, { description: 'Signature of `message` by the Ethereum key: 0x, r, s, v.' })
    signature: string,
    @Arg('challenge', () => String, {
      nullable: true,
      description: 'Id of the challenge; default: any open challenge of both addresses.',
    })
    challenge: string | null,
    @Arg('substrateSignature', () => String, {
      nullable: true,
      description: 'Signature of `message` by the SS58 key; proves ownership of that address.',
    })
    substrateSignature: string | null,
    @Arg('referralCode', () => String, { nullable: true, description: 'Referral code; only used for new users.' })
    referralCode: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<SignIn> {
    const { database, jobs, log, now } = context;
    await countByAddress(context, 'verify', 1);
    const purpose = { ...(await addressPair(address, substrateAddress)), linkUserId: null };
    const answer = { signature, challenge, substrateSignature };
    const pending = await answeredChallenge(database, purpose, answer, now());
    return completeSignIn(database, pending, {
      proved: Boolean(substrateSignature),
      referralCode: referralCode || undefined,
      jobs,
      log,
      now: now(),
    });
  }
}
