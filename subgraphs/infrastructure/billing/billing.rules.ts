import { asDecimal, costOf, inUnits, secondsFor } from '../credits.rules.js';

/** What is known of the cost of a machine; decimals are exact. */
export interface Billing {
  readonly uuid: string;
  readonly creditsPerHour: string;
  /** Milliseconds of runs that are over. */
  readonly ranMs: string;
  readonly runningSince: Date | null;
  /** Whether credits are to be held for what comes. */
  readonly isWanted: boolean;
  readonly charged: string;
  readonly chargeNumber: number;
  /** A charge under way; null: none. */
  readonly chargeCredits: string | null;
  readonly chargeIsLast: boolean;
  readonly holdNumber: number;
  readonly holdState: 'wanted' | 'open' | 'closed';
  readonly holdCredits: string;
  readonly holdSpent: string;
}

/** What is to be done next about the cost of a machine. */
export type BillingStep =
  | { readonly kind: 'nothing' }
  /** Spend a part of the hold; with the last, its rest is given back. */
  | { readonly kind: 'charge'; readonly number: number; readonly credits: string; readonly isLast: boolean }
  /** Set credits aside. */
  | { readonly kind: 'hold'; readonly number: number; readonly credits: string };

/** Seconds that a hold still has to cover, else it is given back for one of an hour. */
const LEAST_COVER_SECONDS = 300n;

/** Milliseconds after which a hold is given back by itself: those of machines that run are replaced each hour. */
const HOLD_MS = 3 * 3_600_000;

/** Seconds before the end of a hold in which the end has an appointment of its own. */
const APPOINTMENT_SECONDS = 120n;

/** By what accounts knows the hold of a machine. */
export function holdReference(uuid: string, number: number): string {
  return `${uuid}:${number}`;
}

/** When a hold placed now is given back by itself. */
export function holdExpiry(now: Date): Date {
  return new Date(now.getTime() + HOLD_MS);
}

/** Whole seconds that it has run, all runs together. */
export function secondsRun({ ranMs, runningSince }: Pick<Billing, 'ranMs' | 'runningSince'>, now: Date): bigint {
  const presentMs = runningSince ? Math.max(0, now.getTime() - runningSince.getTime()) : 0;
  return (BigInt(ranMs) + BigInt(presentMs)) / 1_000n;
}

/** The next step; one that is under way is repeated as it was. */
export function nextStep(billing: Billing, now: Date): BillingStep {
  const { chargeNumber, chargeCredits, chargeIsLast, holdNumber, holdState, holdCredits } = billing;
  if (chargeCredits !== null)
    return { kind: 'charge', number: chargeNumber + 1, credits: chargeCredits, isLast: chargeIsLast };
  if (holdState === 'wanted') return { kind: 'hold', number: holdNumber, credits: holdCredits };
  return holdState === 'open' ? chargeOf(billing, now) : holdOf(billing, now);
}

/** As many whole seconds as the hold pays for: a rest that pays for none stays with the user. */
function chargeOf(billing: Billing, now: Date): BillingStep {
  const { chargeNumber, isWanted, runningSince } = billing;
  const { price, charged, remaining, due } = figuresOf(billing, now);
  const payable = least(secondsRun(billing, now), secondsFor(charged + remaining, price));
  const credits = most(0n, costOf(payable, price) - charged);
  const after = remaining - credits;
  const isSpent = after < costOf(LEAST_COVER_SECONDS, price);
  // The hold of the spawn is larger than an hour's; it goes as soon as the machine runs.
  const isLarge = runningSince !== null && after > 2n * price;
  const isLast = !isWanted || isLarge || (due > 0n && isSpent);
  if (credits === 0n && !isLast) return { kind: 'nothing' };
  return { kind: 'charge', number: chargeNumber + 1, credits: asDecimal(credits), isLast };
}

function holdOf(billing: Billing, now: Date): BillingStep {
  const { price, due } = figuresOf(billing, now);
  const ahead = billing.isWanted && billing.runningSince !== null ? price : 0n;
  const credits = most(0n, due) + ahead;
  if (credits === 0n) return { kind: 'nothing' };
  return { kind: 'hold', number: billing.holdNumber + 1, credits: asDecimal(credits) };
}

/**
 * What can be held where more is not there: as many whole seconds as the credits pay for.
 * @param available exact decimal @returns undefined where they pay for no second more than was charged
 */
export function affordableHold(billing: Billing, wanted: string, available: string): string | undefined {
  const { price, charged } = figuresOf(billing, new Date(0));
  const payable = costOf(secondsFor(charged + least(inUnits(wanted), inUnits(available)), price), price) - charged;
  return payable > 0n ? asDecimal(payable) : undefined;
}

/** Milliseconds that the charges paid for, where the rest is not to be had. */
export function paidMs(billing: Billing, now: Date): string {
  const { price, charged } = figuresOf(billing, now);
  return String(least(secondsRun(billing, now), secondsFor(charged, price)) * 1_000n);
}

/** When the hold of a machine that runs ends, if that is soon. */
export function appointment(billing: Billing, now: Date): Date | undefined {
  if (billing.runningSince === null || billing.holdState !== 'open') return undefined;
  const { price, charged, remaining } = figuresOf(billing, now);
  const left = secondsFor(charged + remaining, price) - secondsRun(billing, now);
  if (left > APPOINTMENT_SECONDS) return undefined;
  return new Date(now.getTime() + Number(most(0n, left)) * 1_000);
}

/** Credits that pay for machines, and what an hour of all of them costs; exact decimals. */
export interface Funds {
  readonly balance: string;
  readonly held: string;
  /** Of what is held, for machines that run. */
  readonly heldForRunning: string;
  readonly creditsPerHour: string;
}

/** Whole seconds that all machines can run on. */
export function runway({ balance, held, heldForRunning, creditsPerHour }: Funds): bigint {
  const units = inUnits(balance) - inUnits(held) + inUnits(heldForRunning);
  return inUnits(creditsPerHour) === 0n ? 0n : secondsFor(units, inUnits(creditsPerHour));
}

function figuresOf(billing: Billing, now: Date) {
  const [price, charged] = [inUnits(billing.creditsPerHour), inUnits(billing.charged)];
  const remaining = billing.holdState === 'open' ? inUnits(billing.holdCredits) - inUnits(billing.holdSpent) : 0n;
  return { price, charged, remaining, due: costOf(secondsRun(billing, now), price) - charged };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
