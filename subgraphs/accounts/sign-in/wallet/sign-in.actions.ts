import type { Database } from '../../../../kernel/database/database.js';
import { unauthenticated } from '../../../../kernel/errors.js';
import { issueSignInToken } from '../../identity/api-token/new-token.actions.js';
import { addUser } from '../../identity/user/user.actions.js';
import { rewardReferral } from '../referral/referral.actions.js';
import { linkAddress, type Linking } from './address-link.actions.js';
import { consumeChallenge } from './challenge.actions.js';
import { checksumAddress } from './sign-in.rules.js';
import type { PendingChallenge, SignIn } from './sign-in.js';

interface Completion extends Linking {
  readonly referralCode: string | undefined;
}

/**
 * Signs in the wallet that signed the challenge and consumes the challenge: only one concurrent request succeeds.
 * @throws UNAUTHENTICATED if the challenge was used or the SS58 address belongs to another wallet
 */
export function completeSignIn(
  database: Database,
  answered: PendingChallenge,
  { referralCode, ...linking }: Completion,
): Promise<SignIn> {
  const { log, now } = linking;
  return database.change(async (transaction) => {
    await consumeChallenge(transaction, answered.challenge);
    const username = checksumAddress(answered.ethereumAddress);
    const added = await addUser(transaction, { username, ethereumAddress: answered.ethereumAddress, roles: [] }, now);
    const user = await linkAddress(transaction, answered, linking);
    if (!user) throw addressTaken();
    if (added !== undefined && referralCode)
      await rewardReferral(transaction, { code: referralCode, userId: added }, { log, now });
    const token = await issueSignInToken(transaction, { userId: user.id, name: 'wallet sign-in' }, now);
    return { token, isNew: added !== undefined, user };
  });
}

function addressTaken(): Error {
  return unauthenticated(
    'This wallet and this SS58 address do not match: one of them is linked to another account. If another wallet only claims the address, also sign the message with the key of the address to prove that it is yours.',
  );
}
