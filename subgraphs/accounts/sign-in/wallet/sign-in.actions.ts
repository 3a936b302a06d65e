import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { unauthenticated } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { issueSignInToken } from '../../identity/api-token/new-token.actions.js';
import { publishTokensChanged } from '../../identity/api-token/token.actions.js';
import { addUser } from '../../identity/user/user.actions.js';
import { USER_COLUMNS, type User } from '../../identity/user/user.js';
import { CHALLENGE_TTL_SECONDS, challengeMessage, checksumAddress } from './sign-in.rules.js';
import { rewardReferral } from '../referral/referral.actions.js';
import { notify, type Notice } from '../../notifications/notification/notification.actions.js';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { ChallengeRow } from '../rows.js';
import type { Challenge, PendingChallenge, SignIn } from './sign-in.js';

/** The two addresses a challenge binds; the Ethereum one in lower case. */
export interface AddressPair {
  readonly ethereumAddress: string;
  readonly substrateAddress: string;
}

/** New challenges per pair within half their lifetime; after that the newest is returned again. */
const MAX_NEW_CHALLENGES = 20;

const NEWEST = query(
  'challenge-newest',
  (db: Tables, { ethereumAddress, substrateAddress, since }: AddressPair & { since: Date }) =>
    db
      .selectFrom('challenge')
      .select(['challenge', 'message', 'expiresAt', sql<number>`(count(*) OVER ())::integer`.as('count')])
      .where((eb) => eb.and({ ethereumAddress, substrateAddress }))
      .where('createdAt', '>', since)
      .orderBy('createdAt', 'desc')
      .limit(sql.lit(1)),
);

const INSERT = query(
  'challenge-insert',
  (db: Tables, { challenge, ethereumAddress, substrateAddress, message, createdAt, expiresAt }: ChallengeRow) =>
    db.insertInto('challenge').values({ challenge, ethereumAddress, substrateAddress, message, createdAt, expiresAt }),
);

/**
 * Stores a new challenge for the pair. Repeated requests for the same pair return the same challenge, so the number of
 * open challenges stays small and nobody is locked out.
 */
export async function createChallenge(
  database: Database,
  pair: AddressPair,
  at: { publicUrl: string; now: Date },
): Promise<Challenge> {
  const since = new Date(at.now.getTime() - CHALLENGE_TTL_SECONDS * 500);
  const [newest] = await database.run(NEWEST, { ...pair, since });
  if (newest && newest.count >= MAX_NEW_CHALLENGES) {
    const expiresIn = Math.floor((newest.expiresAt.getTime() - at.now.getTime()) / 1000);
    return { challenge: newest.challenge, message: newest.message, expiresIn };
  }
  const nonce = randomBytes(16).toString('hex');
  const expiresAt = new Date(at.now.getTime() + CHALLENGE_TTL_SECONDS * 1000);
  const message = challengeMessage({ ...pair, publicUrl: at.publicUrl, nonce, issuedAt: at.now, expiresAt });
  await database.run(INSERT, { ...pair, challenge: nonce, message, createdAt: at.now, expiresAt });
  return { challenge: nonce, message, expiresIn: CHALLENGE_TTL_SECONDS };
}

const PENDING = query('challenge-pending', (db: Tables, value: AddressPair & { challenge: string | null; now: Date }) =>
  db
    .selectFrom('challenge')
    .select(['challenge', 'message', 'ethereumAddress', 'substrateAddress'])
    .where((eb) => eb.and({ ethereumAddress: value.ethereumAddress, substrateAddress: value.substrateAddress }))
    .where('expiresAt', '>', value.now)
    .where(sql<boolean>`(${value.challenge}::text IS NULL OR challenge = ${value.challenge})`)
    .orderBy('createdAt', 'desc')
    .limit(sql.lit(100)),
);

/** The pair's challenge with this id, or all its open challenges, newest first. */
export async function findChallenges(
  database: Database,
  pair: AddressPair,
  { challenge, now }: { readonly challenge: string | undefined; readonly now: Date },
): Promise<PendingChallenge[]> {
  return database.run(PENDING, { ...pair, challenge: challenge ?? null, now });
}

interface Completion {
  /** Whether the SS58 key also signed. */
  readonly proved: boolean;
  readonly referralCode: string | undefined;
  readonly jobs: Jobs;
  readonly log: Logger;
  readonly now: Date;
}

const CONSUME = query('consume-challenge', (db: Tables, value: { challenge: string }) =>
  db.deleteFrom('challenge').where('challenge', '=', value.challenge).returning('challenge'),
);

/**
 * Signs in the wallet that signed the challenge and consumes the challenge: only one concurrent request succeeds.
 * @throws UNAUTHENTICATED if the challenge was used or the SS58 address belongs to another wallet
 */
export function completeSignIn(
  database: Database,
  answered: PendingChallenge,
  { proved, referralCode, jobs, log, now }: Completion,
): Promise<SignIn> {
  return database.change(async (transaction) => {
    const consumed = await transaction.run(CONSUME, { challenge: answered.challenge });
    if (consumed.length === 0) throw unauthenticated('This challenge was already used; request a new one.');
    const username = checksumAddress(answered.ethereumAddress);
    const added = await addUser(transaction, { username, ethereumAddress: answered.ethereumAddress, roles: [] }, now);
    const user = await linkAddress(transaction, answered, { proved, jobs, now }).catch(refuseTakenAddress);
    if (added !== undefined && referralCode)
      await rewardReferral(transaction, { code: referralCode, userId: added }, { log, now });
    const token = await issueSignInToken(transaction, { userId: user.id, name: 'wallet sign-in' }, now);
    return { token, isNew: added !== undefined, user };
  });
}

const DISPLACE = query('displace-unproved-address', (db: Tables, value: AddressPair) =>
  db
    .updateTable('user')
    .set({ substrateAddress: null })
    .where('substrateAddress', '=', value.substrateAddress)
    .where('ethereumAddress', 'is distinct from', value.ethereumAddress)
    .where('substrateProved', '=', sql.lit(false))
    .returning('id'),
);

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

/** Links the wallet to its SS58 address: kept, newly claimed, or taken over from an unproved claim by a signature. */
async function linkAddress(
  transaction: Transaction,
  pair: AddressPair,
  { proved, jobs, now }: Omit<Completion, 'referralCode' | 'log'>,
): Promise<User> {
  if (proved) {
    const displaced = await transaction.run(DISPLACE, pair);
    for (const { id } of displaced) {
      await notify(transaction, jobs, displacement(id, pair.substrateAddress), now);
      // Open connections of the previous claimant must not keep the address.
      await publishTokensChanged(transaction, id, now);
    }
  }
  const [before] = await transaction.run(LOCK_WALLET, pair);
  // The unique key decides between two concurrent claims; the second update fails.
  const [user] = await transaction.run(LINK, { ...pair, proved });
  if (!user) throw addressTaken();
  if (before?.substrateAddress !== pair.substrateAddress) await publishTokensChanged(transaction, user.id, now);
  return user;
}

function displacement(userId: number, substrateAddress: string): Notice {
  return {
    userId,
    kind: 'account',
    key: `address-displaced ${substrateAddress}`,
    title: 'Another wallet proved ownership of your SS58 address',
    text: `Your account had claimed the SS58 address ${substrateAddress} without a signature by its key. Another wallet has now proved that it holds that key, so the address and its files no longer belong to you. You keep your account and its credits.`,
  };
}

function refuseTakenAddress(error: unknown): never {
  if (violatedConstraint(error) === 'user_substrate_address_key') throw addressTaken();
  throw error;
}

function addressTaken(): Error {
  return unauthenticated(
    'This wallet and this SS58 address do not match: one of them is linked to another account. If another wallet only claims the address, also sign the message with the key of the address to prove that it is yours.',
  );
}
