import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { badRequest, unauthenticated } from '../../../../kernel/errors.js';
import { networkOf } from '../../../../kernel/http/client-network.js';
import { countAttempt } from '../../identity/rate-limit/rate.actions.js';
import type { AccountsContext } from '../../services.js';
import { completeSignIn, createChallenge, findChallenges, type AddressPair } from './sign-in.actions.js';
import { Challenge, SignIn } from './sign-in.js';
import {
  isWalletAddress,
  isWellFormedSignature,
  isWellFormedSubstrateSignature,
  recoverSigner,
} from './sign-in.rules.js';

/** Allowed challenges per verification: clients retry up to three times. */
const CHALLENGES_PER_VERIFICATION = 4;

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
    return createChallenge(database, await addressPair(address, substrateAddress), { publicUrl, now: now() });
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
    const pair = await addressPair(address, substrateAddress);
    if (!isWellFormedSignature(signature)) {
      throw badRequest('`signature` must be 0x followed by 130 hexadecimal digits: r, s and v (27, 28, 0 or 1).');
    }
    if (substrateSignature && !isWellFormedSubstrateSignature(substrateSignature)) {
      throw badRequest('`substrate_signature` must be 0x followed by 64 to 66 bytes in hexadecimal digits.');
    }
    const open = await findChallenges(database, pair, { challenge: challenge || undefined, now: now() });
    if (open.length === 0) throw unauthenticated('There is no open challenge for these addresses; request a new one.');
    const pending = open.find(({ message }) => recoverSigner(message, signature) === pair.ethereumAddress);
    if (!pending) {
      throw unauthenticated('The signature does not match this message and this address.');
    }
    const { provesSubstrateAddress } = await import('./substrate.rules.js');
    if (substrateSignature && !provesSubstrateAddress(pending.message, substrateSignature, pair.substrateAddress)) {
      throw unauthenticated('The substrate signature does not match this message and this SS58 address.');
    }
    return completeSignIn(database, pending, {
      proved: Boolean(substrateSignature),
      referralCode: referralCode || undefined,
      jobs,
      log,
      now: now(),
    });
  }
}

/** Counts an attempt of the client network. @param times multiple of the verification limit @throws RATE_LIMITED */
async function countByAddress(context: AccountsContext, scope: string, times: number): Promise<void> {
  const { database, services, clientAddress, now } = context;
  const max = services.verificationsPerMinute * times;
  await countAttempt(database, { scope, max, windowSeconds: 60 }, networkOf(clientAddress), now());
}

async function addressPair(address: string, substrateAddress: string): Promise<AddressPair> {
  if (!isWalletAddress(address)) throw badRequest('`address` is not an Ethereum address.');
  const { isSubstrateAddress } = await import('./substrate.rules.js');
  if (!isSubstrateAddress(substrateAddress))
    throw badRequest('`substrate_address` is not an SS58 address of network 42.');
  return { ethereumAddress: address.toLowerCase(), substrateAddress };
}
