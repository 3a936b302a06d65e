import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { unauthenticated } from '../../../../kernel/errors.js';
import { publishTokensChanged, issueSessionToken } from '../../identity/token/token.actions.js';
import { addUser } from '../../identity/user/user.actions.js';
import { USER_COLUMNS, type User } from '../../identity/user/user.js';
import { CHALLENGE_TTL_SECONDS, challengeMessage, checksumAddress } from './sign-in.rules.js';
import { rewardReferral } from '../referral/referral.actions.js';
import { notify, type Notice } from '../../notifications/notification/notification.actions.js';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { Challenge, PendingChallenge, SignIn } from './sign-in.js';

/** The two addresses a challenge binds; the Ethereum one in lower case. */
export interface AddressPair {
  readonly ethereumAddress: string;
  readonly substrateAddress: string;
}

/** New challenges per pair within half their lifetime; after that the newest is returned again. */
const MAX_NEW_CHALLENGES = 20;

const NEWEST = {
  name: 'challenge-newest',
  text: `
    SELECT challenge, message, expires_at AS "expiresAt", (count(*) OVER ())::integer AS count FROM accounts.challenge
     WHERE ethereum_address = $1 AND substrate_address = $2 AND created_at > $3 ORDER BY created_at DESC LIMIT 1`,
};

const INSERT = {
  name: 'challenge-insert',
  text: 'INSERT INTO accounts.challenge VALUES ($1, $2, $3, $4, $5, $6)',
};

/**
 * Stores a new challenge for the pair. Repeated requests for the same pair return the same challenge, so the number of
 * open challenges stays small and nobody is locked out.
 */
export async function createChallenge(
  database: Database,
  pair: AddressPair,
  at: { publicUrl: string; now: Date },
): Promise<Challenge> {
  const { ethereumAddress, substrateAddress } = pair;
  const recently = new Date(at.now.getTime() - CHALLENGE_TTL_SECONDS * 500);
  const [newest] = await database.rows<PendingChallenge & { expiresAt: Date; count: number }>(NEWEST, [
    ethereumAddress,
    substrateAddress,
    recently,
  ]);
  if (newest && newest.count >= MAX_NEW_CHALLENGES) {
    const expiresIn = Math.floor((newest.expiresAt.getTime() - at.now.getTime()) / 1000);
    return { challenge: newest.challenge, message: newest.message, expiresIn };
  }
  const nonce = randomBytes(16).toString('hex');
  const expiresAt = new Date(at.now.getTime() + CHALLENGE_TTL_SECONDS * 1000);
  const message = challengeMessage({ ...pair, publicUrl: at.publicUrl, nonce, issuedAt: at.now, expiresAt });
  await database.rows(INSERT, [nonce, ethereumAddress, substrateAddress, message, at.now, expiresAt]);
  return { challenge: nonce, message, expiresIn: CHALLENGE_TTL_SECONDS };
}

const PENDING = {
  name: 'challenge-pending',
  text: `
    SELECT challenge, message, ethereum_address AS "ethereumAddress", substrate_address AS "substrateAddress"
      FROM accounts.challenge
     WHERE ethereum_address = $1 AND substrate_address = $2 AND expires_at > $3 AND ($4::text IS NULL OR challenge = $4)
     ORDER BY created_at DESC LIMIT 100`,
};

/** The pair's challenge with this id, or all its open challenges, newest first. */
export async function findChallenges(
  database: Database,
  pair: AddressPair,
  { challenge, now }: { readonly challenge: string | undefined; readonly now: Date },
): Promise<PendingChallenge[]> {
  return database.rows<PendingChallenge>(PENDING, [
    pair.ethereumAddress,
    pair.substrateAddress,
    now,
    challenge ?? null,
  ]);
}

interface Completion {
  /** Whether the SS58 key signed too. */
  readonly proved: boolean;
  readonly referralCode: string | undefined;
  readonly jobs: Jobs;
  readonly log: Logger;
  readonly now: Date;
}

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
    const burned = await transaction.execute<object>(
      'DELETE FROM accounts.challenge WHERE challenge = $1 RETURNING challenge',
      [answered.challenge],
    );
    if (burned.length === 0) throw unauthenticated('This challenge was already used; request a new one.');
    const username = checksumAddress(answered.ethereumAddress);
    const added = await addUser(transaction, { username, ethereumAddress: answered.ethereumAddress, roles: [] }, now);
    const user = await holdAddress(transaction, answered, { proved, jobs, now }).catch(refuseTakenAddress);
    if (added !== undefined && referralCode)
      await rewardReferral(transaction, { code: referralCode, userId: added }, { log, now });
    const token = await issueSessionToken(transaction, { userId: user.id, name: 'wallet sign-in' }, now);
    return { token, isNew: added !== undefined, user };
  });
}

/** Links the wallet to its SS58 address: kept, newly claimed, or taken over from an unproved claim by a signature. */
async function holdAddress(
  transaction: Transaction,
  pair: AddressPair,
  { proved, jobs, now }: Omit<Completion, 'referralCode' | 'log'>,
): Promise<User> {
  if (proved) {
    const displaced = await transaction.execute<{ id: number }>(
      `UPDATE accounts.user SET substrate_address = NULL
        WHERE substrate_address = $1 AND ethereum_address IS DISTINCT FROM $2 AND NOT substrate_proved RETURNING id`,
      [pair.substrateAddress, pair.ethereumAddress],
    );
    for (const { id } of displaced) {
      await notify(transaction, jobs, displacement(id, pair.substrateAddress), now);
      // Open connections of the previous claimant must not keep the address.
      await publishTokensChanged(transaction, id);
    }
  }
  const [before] = await transaction.execute<{ address: string | null }>(
    'SELECT substrate_address AS address FROM accounts.user WHERE ethereum_address = $1 FOR UPDATE',
    [pair.ethereumAddress],
  );
  // The unique key decides between two wallets that claim at once; the loser's update finds the address taken.
  const [user] = await transaction.execute<User>(
    `UPDATE accounts.user SET substrate_address = $2, substrate_proved = substrate_proved OR $3
      WHERE ethereum_address = $1 AND coalesce(substrate_address, $2) = $2
        AND NOT EXISTS (SELECT 1 FROM accounts.user o WHERE o.substrate_address = $2 AND o.ethereum_address IS DISTINCT FROM $1)
      RETURNING ${USER_COLUMNS}`,
    [pair.ethereumAddress, pair.substrateAddress, proved],
  );
  if (!user) throw addressTaken();
  if (before?.address !== pair.substrateAddress) await publishTokensChanged(transaction, user.id);
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
