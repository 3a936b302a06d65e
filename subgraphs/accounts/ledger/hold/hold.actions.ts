import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { JobDefinition, Jobs } from '../../../../kernel/jobs/jobs.js';
import { balanceTopic, payDebt, postTransfer, refuseOverdraft } from '../ledger/ledger.actions.js';
import type { AccountsRuntime } from '../../services.js';
import type { CreditHold } from './hold.js';

/** A hold to open; `source` and `reference` identify it. */
export interface HoldRequest {
  readonly userId: number;
  readonly source: string;
  readonly reference: string;
  /** Exact decimal above zero. */
  readonly credits: string;
  /** Reason for the statement. */
  readonly reason: string;
  readonly expiresAt: Date;
}

/** Identifies a hold. */
export interface HoldKey {
  readonly source: string;
  readonly reference: string;
}

/** A settlement: spends part of a hold, once per `settlement` key. */
export interface Settlement extends HoldKey {
  readonly settlement: string;
  /** Exact decimal above zero. */
  readonly credits: string;
  /** Undefined: the reason of the hold. */
  readonly reason: string | undefined;
  /** Releases the remaining credits. */
  readonly isLast: boolean;
}

interface HoldRow extends CreditHold {
  readonly reason: string;
}

const COLUMNS = `
  id, user_id AS "userId", reason, trim_scale(credits)::text AS credits, trim_scale(settled)::text AS settled,
  trim_scale(remaining)::text AS remaining, state, expires_at AS "expiresAt"`;

const EXPIRY = 'hold-expiry';

/** Releases expired holds. */
export const HOLD_EXPIRY: JobDefinition<AccountsRuntime> = {
  name: EXPIRY,
  async work({ source, reference }, { database, now }) {
    const key = { source: String(source), reference: String(reference) };
    await database.change(async (transaction) => {
      await giveBack(transaction, await lockHold(transaction, key), { state: 'expired', now: now() });
    });
  },
};

/**
 * Reserves credits; repeating the same identity returns the same hold, whatever its state.
 * @throws PAYMENT_REQUIRED if the available balance is too low, CONFLICT if the identity
 * belongs to another hold, NOT_FOUND for an unknown user
 */
export function placeHold(database: Database, jobs: Jobs, request: HoldRequest, now: Date): Promise<CreditHold> {
  const { userId, source, reference, credits, reason, expiresAt } = request;
  return database.change(async (transaction) => {
    const [placed] = await transaction
      .execute<HoldRow>(
        `INSERT INTO accounts.hold (user_id, source, reference, reason, credits, remaining, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $5, $6, $7) ON CONFLICT ON CONSTRAINT hold_once DO NOTHING RETURNING ${COLUMNS}`,
        [userId, source, reference, reason, credits, now, expiresAt],
      )
      .catch(refuseHold);
    if (!placed) return sameHold(transaction, request);
    await jobs.enqueue(transaction, EXPIRY, { source, reference }, { key: placed.id, startAfter: expiresAt });
    transaction.publishAfterCommit(balanceTopic(userId));
    return placed;
  });
}

/**
 * Spends part of a hold; repeating a settlement spends nothing more.
 * @throws NOT_FOUND, CONFLICT if fewer credits remain, the hold has expired, or the settlement key has another amount
 */
export function settleHold(database: Database, settlement: Settlement, now: Date): Promise<CreditHold> {
  return database.change(async (transaction) => {
    const hold = await lockHold(transaction, settlement);
    const transfer = {
      source: settlement.source,
      reference: `${hold.id}:${settlement.settlement}`,
      kind: 'settlement',
      reason: settlement.reason ?? hold.reason,
      userId: hold.userId,
      credits: `-${settlement.credits}`,
      link: settlement.reference,
    };
    // The row lock serializes settlements of one hold, so no other request posts this transfer meanwhile.
    const [known] = await transaction.execute<object>(
      'SELECT 1 FROM accounts.transfer WHERE source = $1 AND reference = $2 AND kind = $3',
      [transfer.source, transfer.reference, transfer.kind],
    );
    if (!known) await takeFromHold(transaction, hold, { credits: settlement.credits, now });
    await postTransfer(transaction, transfer, now);
    return settlement.isLast
      ? giveBack(transaction, await lockHold(transaction, settlement), { state: 'released', now })
      : lockHold(transaction, settlement);
  });
}

/** Releases the remaining credits of a hold; no effect on a closed hold. @throws NOT_FOUND */
export function releaseHold(database: Database, key: HoldKey, now: Date): Promise<CreditHold> {
  return database.change(async (transaction) =>
    giveBack(transaction, await lockHold(transaction, key), { state: 'released', now }),
  );
}

async function lockHold(transaction: Transaction, { source, reference }: HoldKey): Promise<HoldRow> {
  const [hold] = await transaction.execute<HoldRow>(
    `SELECT ${COLUMNS} FROM accounts.hold WHERE source = $1 AND reference = $2 FOR UPDATE`,
    [source, reference],
  );
  if (!hold) throw notFound('There is no such hold.');
  return hold;
}

async function sameHold(transaction: Transaction, request: HoldRequest): Promise<CreditHold> {
  const [same] = await transaction.execute<HoldRow>(
    `SELECT ${COLUMNS} FROM accounts.hold WHERE source = $1 AND reference = $2 AND user_id = $3 AND credits = $4::numeric`,
    [request.source, request.reference, request.userId, request.credits],
  );
  if (!same) throw conflict('This key was already used for another hold.');
  return same;
}

/** Lowers the held credits, so that the balance can be debited by that amount. */
async function takeFromHold(
  transaction: Transaction,
  hold: HoldRow,
  { credits, now }: { readonly credits: string; readonly now: Date },
): Promise<void> {
  const taken = await transaction.execute<object>(
    `UPDATE accounts.hold SET remaining = remaining - $2::numeric, settled = settled + $2::numeric,
            state = CASE WHEN remaining = $2::numeric THEN 'settled' ELSE state END,
            closed_at = CASE WHEN remaining = $2::numeric THEN $3::timestamptz END
      WHERE id = $1 AND remaining >= $2::numeric AND expires_at > $3 RETURNING id`,
    [hold.id, credits, now],
  );
  if (taken.length > 0) return;
  if (hold.expiresAt <= now) throw conflict('This hold has expired.');
  throw conflict(`Only ${hold.remaining} credits remain in this hold.`);
}

async function giveBack(
  transaction: Transaction,
  hold: HoldRow,
  { state, now }: { readonly state: 'released' | 'expired'; readonly now: Date },
): Promise<CreditHold> {
  const [closed] = await transaction.execute<HoldRow>(
    `UPDATE accounts.hold SET remaining = 0, state = $2, closed_at = $3 WHERE id = $1 AND state = 'open' RETURNING ${COLUMNS}`,
    [hold.id, state, now],
  );
  if (!closed) return hold;
  const transfer = { source: 'hold', reference: hold.id, kind: 'debt', reason: 'Held credits that pay a debt' };
  await payDebt(transaction, { ...transfer, userId: hold.userId }, now);
  transaction.publishAfterCommit(balanceTopic(hold.userId));
  return closed;
}

function refuseHold(error: unknown): never {
  if (violatedConstraint(error) === 'hold_user_id_fkey') throw notFound('This user has no ledger account.');
  return refuseOverdraft(error);
}
