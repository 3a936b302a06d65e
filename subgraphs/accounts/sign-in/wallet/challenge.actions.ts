import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { badRequest, unauthenticated } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import type { ChallengeRow } from '../rows.js';
import type { AddressPair } from './address-link.actions.js';
import type { Challenge, PendingChallenge } from './sign-in.js';
import {
  CHALLENGE_TTL_SECONDS,
  challengeMessage,
  isWalletAddress,
  isWellFormedSignature,
  isWellFormedSubstrateSignature,
  recoverSigner,
} from './sign-in.rules.js';

/** What a challenge is for: a sign-in with both addresses, or to link them to the account of a user. */
interface ChallengePurpose extends AddressPair {
  /** Null for a sign-in. */
  readonly linkUserId: number | null;
}

/** New challenges per pair within half their lifetime; after that the newest is returned again. */
const MAX_NEW_CHALLENGES = 20;

const NEWEST = query(
  'challenge-newest',
  (db: Tables, { ethereumAddress, substrateAddress, linkUserId, since }: ChallengePurpose & { since: Date }) =>
    db
      .selectFrom('challenge')
      .select(['challenge', 'message', 'expiresAt', sql<number>`(count(*) OVER ())::integer`.as('count')])
      .where((eb) => eb.and({ ethereumAddress, substrateAddress }))
      .where('linkUserId', 'is not distinct from', linkUserId)
      .where('createdAt', '>', since)
      .orderBy('createdAt', 'desc')
      .limit(sql.lit(1)),
);

const INSERT = query(
  'challenge-insert',
  (
    db: Tables,
    { challenge, ethereumAddress, substrateAddress, message, linkUserId, createdAt, expiresAt }: ChallengeRow,
  ) =>
    db
      .insertInto('challenge')
      .values({ challenge, ethereumAddress, substrateAddress, message, linkUserId, createdAt, expiresAt }),
);

/**
 * Stores a new challenge for the purpose. Repeated requests for the same one return the same challenge, so the number of
 * open challenges stays small and nobody is locked out.
 */
export async function createChallenge(
  database: Database,
  purpose: ChallengePurpose,
  at: { readonly publicUrl: string; readonly now: Date; readonly linkTo?: string },
): Promise<Challenge> {
  const since = new Date(at.now.getTime() - CHALLENGE_TTL_SECONDS * 500);
  const [newest] = await database.run(NEWEST, { ...purpose, since });
  if (newest && newest.count >= MAX_NEW_CHALLENGES) {
    const expiresIn = Math.floor((newest.expiresAt.getTime() - at.now.getTime()) / 1000);
    return { challenge: newest.challenge, message: newest.message, expiresIn };
  }
  const nonce = randomBytes(16).toString('hex');
  const expiresAt = new Date(at.now.getTime() + CHALLENGE_TTL_SECONDS * 1000);
  const { publicUrl, linkTo } = at;
  const message = challengeMessage({ ...purpose, linkTo, publicUrl, nonce, issuedAt: at.now, expiresAt });
  await database.run(INSERT, { ...purpose, challenge: nonce, message, createdAt: at.now, expiresAt });
  return { challenge: nonce, message, expiresIn: CHALLENGE_TTL_SECONDS };
}

const PENDING = query(
  'challenge-pending',
  (db: Tables, value: ChallengePurpose & { challenge: string | null; now: Date }) =>
    db
      .selectFrom('challenge')
      .select(['challenge', 'message', 'ethereumAddress', 'substrateAddress'])
      .where((eb) => eb.and({ ethereumAddress: value.ethereumAddress, substrateAddress: value.substrateAddress }))
      .where('linkUserId', 'is not distinct from', value.linkUserId)
      .where('expiresAt', '>', value.now)
      .where(sql<boolean>`(${value.challenge}::text IS NULL OR challenge = ${value.challenge})`)
      .orderBy('createdAt', 'desc')
      .limit(sql.lit(100)),
);

/** The open challenge with this id, or all open challenges of the purpose, newest first. */
export function findChallenges(
  database: Database,
  purpose: ChallengePurpose,
  { challenge, now }: { readonly challenge: string | null; readonly now: Date },
): Promise<PendingChallenge[]> {
  return database.run(PENDING, { ...purpose, challenge: challenge || null, now });
}

/** The signatures of a challenge. */
interface ChallengeAnswer {
  readonly signature: string;
  /** Default: any open challenge of the purpose. */
  readonly challenge: string | null;
  readonly substrateSignature: string | null;
}

/**
 * Returns the open challenge that the wallet signed. @throws BAD_REQUEST for a malformed signature, UNAUTHENTICATED for a wrong one
 */
export async function answeredChallenge(
  database: Database,
  purpose: ChallengePurpose,
  { signature, challenge, substrateSignature }: ChallengeAnswer,
  now: Date,
): Promise<PendingChallenge> {
  if (!isWellFormedSignature(signature)) {
    throw badRequest('`signature` must be 0x followed by 130 hexadecimal digits: r, s and v (27, 28, 0 or 1).');
  }
  if (substrateSignature && !isWellFormedSubstrateSignature(substrateSignature)) {
    throw badRequest('`substrate_signature` must be 0x followed by 64 to 66 bytes in hexadecimal digits.');
  }
  const open = await findChallenges(database, purpose, { challenge, now });
  if (open.length === 0) throw unauthenticated('There is no open challenge for these addresses; request a new one.');
  const pending = open.find(({ message }) => recoverSigner(message, signature) === purpose.ethereumAddress);
  if (!pending) {
    throw unauthenticated('The signature does not match this message and this address.');
  }
  const { provesSubstrateAddress } = await import('./substrate.rules.js');
  if (substrateSignature && !provesSubstrateAddress(pending.message, substrateSignature, purpose.substrateAddress)) {
    throw unauthenticated('The substrate signature does not match this message and this SS58 address.');
  }
  return pending;
}

const CONSUME = query('consume-challenge', (db: Tables, value: { challenge: string }) =>
  db.deleteFrom('challenge').where('challenge', '=', value.challenge).returning('challenge'),
);

/** Consumes a challenge: only one concurrent request succeeds. @throws UNAUTHENTICATED if it was used */
export async function consumeChallenge(transaction: Transaction, challenge: string): Promise<void> {
  const consumed = await transaction.run(CONSUME, { challenge });
  if (consumed.length === 0) throw unauthenticated('This challenge was already used; request a new one.');
}

/** The checked addresses of a request. @throws BAD_REQUEST */
export async function addressPair(address: string, substrateAddress: string): Promise<AddressPair> {
  if (!isWalletAddress(address)) throw badRequest('`address` is not an Ethereum address.');
  const { isSubstrateAddress } = await import('./substrate.rules.js');
  if (!isSubstrateAddress(substrateAddress))
    throw badRequest('`substrate_address` is not an SS58 address of network 42.');
  return { ethereumAddress: address.toLowerCase(), substrateAddress };
}
