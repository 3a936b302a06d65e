import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import type { User } from '../../identity/user/user.js';
import { linkAddress, type Linking } from './address-link.actions.js';
import { consumeChallenge } from './challenge.actions.js';
import type { PendingChallenge } from './sign-in.js';

const WITHOUT_WALLET = query('user-without-wallet', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('user')
    .select('username')
    .where('id', '=', value.userId)
    .where('ethereumAddress', 'is', null)
    .where('substrateAddress', 'is', null),
);

/** The name of a user who can link a wallet. @throws CONFLICT if the account has one */
export async function nameOfUserWithoutWallet(database: Database, userId: number): Promise<string> {
  const [user] = await database.run(WITHOUT_WALLET, { userId });
  if (!user) throw hasWallet();
  return user.username;
}

const SET_WALLET = query('set-wallet-of-user', (db: Tables, value: { userId: number; ethereumAddress: string }) =>
  db
    .updateTable('user')
    .set({ ethereumAddress: value.ethereumAddress })
    .where('id', '=', value.userId)
    .where('ethereumAddress', 'is', null)
    .where('substrateAddress', 'is', null)
    .returning(sql.lit(1).as('isSet')),
);

/**
 * Links the wallet that signed the challenge to the account of the user, who can then sign in with it; consumes the challenge.
 * @throws CONFLICT if the account has a wallet, or another account has this one or its SS58 address; UNAUTHENTICATED if the challenge was used
 */
export async function linkWallet(
  database: Database,
  answered: PendingChallenge,
  { userId, ...linking }: Linking & { readonly userId: number },
): Promise<User> {
  const { ethereumAddress } = answered;
  const { user } = await database.change(async (transaction) => {
    await consumeChallenge(transaction, answered.challenge);
    const set = await transaction.run(SET_WALLET, { userId, ethereumAddress }).catch(refuseTakenWallet);
    if (set.length === 0) throw hasWallet();
    const linked = await linkAddress(transaction, answered, linking);
    if (!linked)
      throw conflict(
        'This SS58 address is linked to another account. If that account only claims it, also sign the message with the key of the address to prove that it is yours.',
      );
    return { user: linked };
  });
  return user;
}

function refuseTakenWallet(error: unknown): never {
  if (violatedConstraint(error) === 'user_ethereum_address_key')
    throw conflict('This wallet is linked to another account; sign in with it.');
  throw error;
}

function hasWallet(): Error {
  return conflict('Your account has a wallet already.');
}
