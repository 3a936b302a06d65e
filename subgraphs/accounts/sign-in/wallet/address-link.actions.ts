import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { Role } from '../../../../kernel/security/viewer.js';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import type { Tables } from '../../entities.js';
import { publishTokensChanged } from '../../identity/api-token/token.actions.js';
import { USER_COLUMNS, type User } from '../../identity/user/user.js';
import { notifyAdministrators } from '../../notifications/notification/message.actions.js';
import { notify } from '../../notifications/notification/notification.actions.js';

/** The two addresses a challenge binds; the Ethereum one in lower case. */
export interface AddressPair {
  readonly ethereumAddress: string;
  readonly substrateAddress: string;
}

/** How an address is linked. */
export interface Linking {
  /** Whether the SS58 key also signed. */
  readonly proved: boolean;
  readonly jobs: Jobs;
  readonly log: Logger;
  readonly now: Date;
}

const LOCK_WALLET = query('lock-user-of-wallet', (db: Tables, value: AddressPair) =>
  db.selectFrom('user').select('substrateAddress').where('ethereumAddress', '=', value.ethereumAddress).forUpdate(),
);

const LINK = query('link-wallet', (db: Tables, value: AddressPair & { proved: boolean }) =>
  db
    .updateTable('user')
    .set({
      substrateAddress: value.substrateAddress,
      substrateProved: sql<boolean>`substrate_proved OR ${value.proved}`,
    })
    .where('ethereumAddress', '=', value.ethereumAddress)
    .where((eb) => eb(eb.fn.coalesce('substrateAddress', eb.val(value.substrateAddress)), '=', value.substrateAddress))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('user as o')
            .select('o.id')
            .where('o.substrateAddress', '=', value.substrateAddress)
            .where('o.ethereumAddress', 'is distinct from', value.ethereumAddress),
        ),
      ),
    )
    .returning(USER_COLUMNS),
);

/**
 * Links the wallet to its SS58 address: kept, newly claimed, or taken over from an unproved claim by a signature.
 * Undefined if the address belongs to another wallet; the transaction must then be rolled back.
 */
export async function linkAddress(
  transaction: Transaction,
  pair: AddressPair,
  linking: Linking,
): Promise<User | undefined> {
  const { proved, now } = linking;
  if (proved) await displaceClaim(transaction, pair, linking);
  const [before] = await transaction.run(LOCK_WALLET, pair);
  // The unique key decides between two concurrent claims; the second update fails.
  const [user] = await transaction.run(LINK, { ...pair, proved }).catch(nobodyIfTaken);
  if (user && before?.substrateAddress !== pair.substrateAddress) await publishTokensChanged(transaction, user.id, now);
  return user;
}

function nobodyIfTaken(error: unknown): [] {
  if (violatedConstraint(error) === 'user_substrate_address_key') return [];
  throw error;
}

const UNPROVED_CLAIM = query('unproved-claim', (db: Tables, value: AddressPair) =>
  db
    .selectFrom('user')
    .select(['id', 'roles'])
    .where('substrateAddress', '=', value.substrateAddress)
    .where('ethereumAddress', 'is distinct from', value.ethereumAddress)
    .where('substrateProved', '=', sql.lit(false))
    .forUpdate(),
);

const DISPLACE = query('displace-claim', (db: Tables, value: { id: number; roles: Role[] }) =>
  db.updateTable('user').set({ substrateAddress: null, roles: value.roles }).where('id', '=', value.id),
);

/**
 * Takes an address from the user who only claimed it, with all roles: an administrator grants them to the owner of an address.
 * Credits and the account stay.
 */
async function displaceClaim(
  transaction: Transaction,
  { ethereumAddress, substrateAddress }: AddressPair,
  { jobs, log, now }: Linking,
): Promise<void> {
  const [claim] = await transaction.run(UNPROVED_CLAIM, { ethereumAddress, substrateAddress });
  if (!claim) return;
  const { id, roles } = claim;
  await transaction.run(DISPLACE, { id, roles: [] });
  // Open connections of the previous claimant must not keep the address and the roles.
  await publishTokensChanged(transaction, id, now);
  const lost = roles.length > 0 ? ` The roles of your account ended with it: ${roles.join(', ')}.` : '';
  const key = `address-displaced ${substrateAddress}`;
  await notify(
    transaction,
    jobs,
    {
      userId: id,
      kind: 'account',
      severity: 'critical',
      key,
      title: 'Another wallet proved ownership of your SS58 address',
      text: `Your account had claimed the SS58 address ${substrateAddress} without a signature by its key. Another wallet has now proved that it holds that key, so the address and its files no longer belong to you. You keep your account and its credits.${lost}`,
    },
    now,
  );
  if (roles.length === 0) return;
  log.warn({ userId: id, substrateAddress, roles }, 'revoked the roles of a user who had only claimed its address');
  const text = `The user ${id} had claimed the SS58 address ${substrateAddress} without a proof and had these roles: ${roles.join(', ')}. Another wallet has now proved that it owns the address. The user ${id} lost the address and the roles; the new owner has none. Check what this user did with the roles, and grant them again if the owner is to have them.`;
  const title = 'A user with roles had only claimed its SS58 address';
  await notifyAdministrators(transaction, jobs, { kind: 'account', key, title, text }, now);
}
