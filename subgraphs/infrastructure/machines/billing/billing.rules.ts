import { asDecimal, costOf, costOfAll, inUnits, paidOf, secondsFor, type Meter } from '../../credits.rules.js';

/** What is known of the cost of a machine; decimals are exact. */
export interface Billing {
  readonly uuid: string;
  readonly creditsPerHour: string;
  /** Of being stopped; 0: it costs nothing then. */
  readonly stoppedCreditsPerHour: string;
  /** Milliseconds of runs that are over. */
  readonly ranMs: string;
  readonly runningSince: Date | null;
  /** Milliseconds that it was stopped at a price. */
  readonly stoppedMs: string;
  /** Null while it is not, and while nothing pays for it. */
  readonly stoppedSince: Date | null;
  /** Whether it is stopped at a price. */
  readonly isKept: boolean;
  /** Until when nothing is set aside for that, as a start is about to set an hour of running aside. */
  readonly startUntil: Date | null;
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
  return secondsOf(ranMs, runningSince, now);
}

/** Whole seconds that it was stopped at a price, and paid for or about to be. */
export function secondsStopped(
  { stoppedMs, stoppedSince }: Pick<Billing, 'stoppedMs' | 'stoppedSince'>,
  now: Date,
): bigint {
  return secondsOf(stoppedMs, stoppedSince, now);
}

function secondsOf(pastMs: string, since: Date | null, now: Date): bigint {
  const presentMs = since ? Math.max(0, now.getTime() - since.getTime()) : 0;
  return (BigInt(pastMs) + BigInt(presentMs)) / 1_000n;
}

/** Whether it costs credits just now. */
export function costsNow({ runningSince, stoppedSince }: Pick<Billing, 'runningSince' | 'stoppedSince'>): boolean {
  return runningSince !== null || stoppedSince !== null;
}

/** The next step; one that is under way is repeated as it was. */
export function nextStep(billing: Billing, now: Date): BillingStep {
  const { chargeNumber, chargeCredits, chargeIsLast, holdNumber, holdState, holdCredits } = billing;
  if (chargeCredits !== null)
    return { kind: 'charge', number: chargeNumber + 1, credits: chargeCredits, isLast: chargeIsLast };
  if (holdState === 'wanted') return { kind: 'hold', number: holdNumber, credits: holdCredits };
  return holdState === 'open' ? chargeOf(billing, now) : holdOf(billing, now);
}

/** The next step to have nothing set aside for a machine that is stopped at a price: a start sets an hour of running aside. */
export function closingStep(billing: Billing, now: Date): BillingStep {
  const isClosed = billing.isWanted || !billing.isKept || billing.holdState === 'closed';
  return isClosed ? { kind: 'nothing' } : nextStep({ ...billing, isKept: false }, now);
}

/** As many whole seconds as the hold pays for: a rest that pays for none stays with the user. */
function chargeOf(billing: Billing, now: Date): BillingStep {
  const { chargeNumber, isWanted, isKept } = billing;
  const { meters, price, charged, remaining, due } = figuresOf(billing, now);
  const credits = most(0n, costOfAll(paidOf(meters, charged + remaining)) - charged);
  const after = remaining - credits;
  const isSpent = after < most(1n, costOf(LEAST_COVER_SECONDS, price));
  // The hold of the spawn is larger than an hour's, as is that of a run when the machine is stopped.
  const isLarge = costsNow(billing) && after > 2n * price;
  const isLast = !(isWanted || isKept) || isLarge || (due > 0n && isSpent);
  if (credits === 0n && !isLast) return { kind: 'nothing' };
  return { kind: 'charge', number: chargeNumber + 1, credits: asDecimal(credits), isLast };
}

function holdOf(billing: Billing, now: Date): BillingStep {
  const { price, due } = figuresOf(billing, now);
  const isStarting = !billing.isWanted && billing.startUntil !== null && billing.startUntil > now;
  if (billing.isKept && isStarting) return { kind: 'nothing' };
  const isRunning = billing.isWanted && billing.runningSince !== null;
  const ahead = isRunning || billing.isKept ? price : 0n;
  const credits = most(0n, due) + ahead;
  if (credits === 0n) return { kind: 'nothing' };
  return { kind: 'hold', number: billing.holdNumber + 1, credits: asDecimal(credits) };
}

/**
 * What can be held where more is not there: as many whole seconds as the credits pay for.
 * @param available exact decimal @returns undefined where they pay for no second more than was charged
 */
export function affordableHold(
  billing: Billing,
  { wanted, available }: { readonly wanted: string; readonly available: string },
  now: Date,
): string | undefined {
  const { meters, charged } = figuresOf(billing, now);
  const [past, present] = meters;
  const toCome = [past, { ...present, seconds: FOR_EVER }];
  const payable = costOfAll(paidOf(toCome, charged + least(inUnits(wanted), inUnits(available)))) - charged;
  return payable > 0n ? asDecimal(payable) : undefined;
}

/** Milliseconds of each price that the charges paid for, where the rest is not to be had. */
export function paidMs(billing: Billing, now: Date): { readonly ranMs: string; readonly stoppedMs: string } {
  const { meters, charged } = figuresOf(billing, now);
  const paid = paidOf(meters, charged).map(({ seconds }) => String(seconds * 1_000n));
  const [ranMs = '0', stoppedMs = '0'] = billing.isKept ? paid : paid.toReversed();
  return { ranMs, stoppedMs };
}

/** When the hold of a machine that costs ends, if that is soon. */
export function appointment(billing: Billing, now: Date): Date | undefined {
  if (!costsNow(billing) || billing.holdState !== 'open') return undefined;
  const { meters, charged, remaining } = figuresOf(billing, now);
  const [past, present] = meters;
  const [, covered = present] = paidOf([past, { ...present, seconds: FOR_EVER }], charged + remaining);
  const left = covered.seconds - present.seconds;
  if (left > APPOINTMENT_SECONDS) return undefined;
  return new Date(now.getTime() + Number(most(0n, left)) * 1_000);
}

/** Credits that pay for machines, and what an hour of all that cost costs; exact decimals. */
export interface Funds {
  readonly balance: string;
  readonly held: string;
  /** Of what is held, for machines that cost. */
  readonly heldForThese: string;
  readonly creditsPerHour: string;
}

/** Whole seconds that all machines can go on as they are. */
export function runway({ balance, held, heldForThese, creditsPerHour }: Funds): bigint {
  // What is about to be held, and what was given back just now, is in the balance.
  const units = inUnits(balance) - inUnits(held) + least(inUnits(held), inUnits(heldForThese));
  return inUnits(creditsPerHour) === 0n ? 0n : secondsFor(units, inUnits(creditsPerHour));
}

/** The one that counts now, or would, is the second: what the other counted came before and is paid before. */
type Meters = readonly [past: Meter, present: Meter];

/** More seconds than there are credits for. */
const FOR_EVER = 1n << 128n;

function figuresOf(billing: Billing, now: Date) {
  const running = { seconds: secondsRun(billing, now), price: inUnits(billing.creditsPerHour) };
  const stopped = { seconds: secondsStopped(billing, now), price: inUnits(billing.stoppedCreditsPerHour) };
  const meters: Meters = billing.isKept ? [running, stopped] : [stopped, running];
  const charged = inUnits(billing.charged);
  const remaining = billing.holdState === 'open' ? inUnits(billing.holdCredits) - inUnits(billing.holdSpent) : 0n;
  return { meters, price: meters[1].price, charged, remaining, due: costOfAll(meters) - charged };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
