import { paymentRequired } from '../../../kernel/errors.js';

/** Storage is priced per GiB and month; exact decimals have 18 fraction digits. */
const GIB = 2n ** 30n;
const FRACTION_DIGITS = 18;
const ONE_CREDIT = 10n ** BigInt(FRACTION_DIGITS);

/** The price of storage and the balance of the owner. */
export interface Budget {
  /** Exact decimal. */
  readonly creditsPerGibMonth: string;
  /** Exact decimal: credits without holds. */
  readonly balance: string;
}

/**
 * Deleted folders that can be restored are charged for the day of their deletion only, but all that is kept may cost at most this many times the balance. So a
 * full quota can be deleted and uploaded anew, and not again and again.
 */
const MAX_KEPT = 2;

/** Bytes of an owner. */
export interface OwnedBytes {
  /** Those that are charged, with what is reserved and added. */
  readonly charged: bigint;
  /** Those of deleted folders that can still be restored. */
  readonly restorable: bigint;
}

/** Why the bytes cannot be stored. */
export interface Shortfall {
  readonly reason: 'insufficient_balance' | 'drive_quota_exceeded';
  readonly message: string;
  /** Cents of a credit, rounded down. */
  readonly balanceCents: number;
  /** Cents of a credit for a month of all bytes, rounded up. */
  readonly requiredCents: number;
}

/** The shortfall for a month of these bytes; undefined if the balance covers it. */
export function shortfallOf(
  { creditsPerGibMonth, balance }: Budget,
  { charged, restorable }: OwnedBytes,
): Shortfall | undefined {
  const [price, available] = [toAttos(creditsPerGibMonth), toAttos(balance)];
  const share = divideRoundingUp(charged + restorable, BigInt(MAX_KEPT));
  const bytes = share > charged ? share : charged;
  const cents = {
    balanceCents: Number((available * 100n) / ONE_CREDIT),
    requiredCents: Number(divideRoundingUp(price * bytes * 100n, GIB * ONE_CREDIT)),
  };
  if (available <= 0n) {
    return { reason: 'insufficient_balance', message: 'Your balance is used up: add credits to upload.', ...cents };
  }
  if (price * bytes <= available * GIB) return undefined;
  return {
    reason: 'drive_quota_exceeded',
    message:
      bytes === charged
        ? 'Storing all your files, including this one, for a month costs more than your balance.'
        : `With the deleted folders that you can restore, your files would be more than ${MAX_KEPT} times what your balance covers: purge a deleted folder, or add credits.`,
    ...cents,
  };
}

/** The largest file that is paid for in addition to these bytes; negative if not even an empty one is. See `shortfallOf`. */
export function affordableBytes({ creditsPerGibMonth, balance }: Budget, { charged, restorable }: OwnedBytes): bigint {
  const [price, available] = [toAttos(creditsPerGibMonth), toAttos(balance)];
  if (available <= 0n) return -1n;
  const covered = (available * GIB) / price;
  const [alone, withRestorable] = [covered - charged, covered * BigInt(MAX_KEPT) - charged - restorable];
  return alone < withRestorable ? alone : withRestorable;
}

/** Plain bytes of a frame; what encryption adds to each frame (length 4, tag 16) and to each file (nonce 24, frame count 4). */
const FRAME_BYTES = 262_144n;
const FRAME_OVERHEAD_BYTES = 20n;
const FILE_OVERHEAD_BYTES = 28n;

/** Size of the ciphertext that clients make. */
export function ciphertextBytes(plainBytes: bigint): bigint {
  const frames = plainBytes === 0n ? 1n : divideRoundingUp(plainBytes, FRAME_BYTES);
  return FILE_OVERHEAD_BYTES + frames * FRAME_OVERHEAD_BYTES + plainBytes;
}

/** Throws if the balance does not cover a month of storage for these bytes. @throws PAYMENT_REQUIRED insufficient_balance, drive_quota_exceeded */
export function refuseShortfall(budget: Budget, bytes: OwnedBytes): void {
  const shortfall = shortfallOf(budget, bytes);
  if (!shortfall) return;
  const { reason, message, balanceCents, requiredCents } = shortfall;
  throw paymentRequired(message, { reason, balance_cents: balanceCents, required_cents: requiredCents });
}

/** The balance without holds. @param held exact decimal, at most the balance */
export function availableBalance(balance: string, held: string): string {
  return fromAttos(toAttos(balance) - toAttos(held));
}

/**
 * Credits for a day of storage: its share of the calendar month, rounded down to the digits of the ledger. @param day ISO 8601
 * @returns undefined when it is zero
 */
export function dayCost(creditsPerGibMonth: string, storedBytes: string, day: string): string | undefined {
  const attos = (toAttos(creditsPerGibMonth) * BigInt(storedBytes)) / (GIB * daysInMonth(day));
  return attos > 0n ? fromAttos(attos) : undefined;
}

function daysInMonth(day: string): bigint {
  const [year, month] = day.split('-').map(Number);
  return BigInt(new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate());
}

function toAttos(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(FRACTION_DIGITS, '0'));
}

function fromAttos(attos: bigint): string {
  const digits = `${attos}`.padStart(FRACTION_DIGITS + 1, '0');
  const fraction = digits.slice(-FRACTION_DIGITS).replace(/0+$/, '');
  return digits.slice(0, -FRACTION_DIGITS) + (fraction === '' ? '' : `.${fraction}`);
}

function divideRoundingUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
