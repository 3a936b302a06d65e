import { asDecimal, costOf, costOfAll, inUnits, paidOf, secondsFor, type Meter } from '../../credits.rules.js';
import type { VmBillingRow } from './billing.js';

/** Billing state of a machine; decimals are exact. */
export type Billing = Readonly<
  Omit<VmBillingRow, 'instanceId' | 'userId' | 'warningMinutes' | 'warnings' | 'isWarned' | 'emptiedAt' | 'isKept'>
> & {
  readonly uuid: string;
  /** Whether it is stopped and its disk is charged. */
  readonly isStoppedCharged: boolean;
  /** Whether charging is paused: the machine should run, but its host does not report it. */
  readonly isPaused: boolean;
};

/** The next billing step of a machine. */
export type BillingStep =
  | { readonly kind: 'nothing' }
  /** Spend part of the hold. The last charge releases the rest. */
  | { readonly kind: 'charge'; readonly number: number; readonly credits: string; readonly isLast: boolean }
  /** Place a hold. */
  | { readonly kind: 'hold'; readonly number: number; readonly credits: string };

/** A hold that covers fewer seconds is replaced by a hold for an hour. */
const MIN_COVER_SECONDS = 300n;

/** Milliseconds until a hold expires. Holds of running machines are replaced every hour. */
const HOLD_MS = 3 * 3_600_000;

/** When a hold ends within this many seconds, a settlement is scheduled for its exact end. */
const SETTLEMENT_SECONDS = 120n;

/** Reference of a machine's hold in accounts. */
export function holdReference(uuid: string, number: number): string {
  return `${uuid}:${number}`;
}

/** Expiry of a hold placed now. */
export function holdExpiry(now: Date): Date {
  return new Date(now.getTime() + HOLD_MS);
}

/** Total seconds of running, rounded down. */
export function secondsRun({ ranMs, runningSince }: Pick<Billing, 'ranMs' | 'runningSince'>, now: Date): bigint {
  return secondsOf(ranMs, runningSince, now);
}

/** Total seconds stopped at a price, rounded down. */
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

/** Whether it costs credits now. */
export function costsNow({ runningSince, stoppedSince }: Pick<Billing, 'runningSince' | 'stoppedSince'>): boolean {
  return runningSince !== null || stoppedSince !== null;
}

/** The next step. A step in progress is repeated unchanged. */
export function nextStep(billing: Billing, now: Date): BillingStep {
  const { chargeNumber, chargeCredits, chargeIsLast, holdNumber, holdState, holdCredits } = billing;
  if (chargeCredits !== null)
    return { kind: 'charge', number: chargeNumber + 1, credits: chargeCredits, isLast: chargeIsLast };
  if (holdState === 'requested') return { kind: 'hold', number: holdNumber, credits: holdCredits };
  return holdState === 'open' ? chargeOf(billing, now) : holdOf(billing, now);
}

/** The next step that releases the hold of a stopped machine. A start then places a hold for one hour. */
export function closingStep(billing: Billing, now: Date): BillingStep {
  const isClosed = billing.shouldRun || !billing.isStoppedCharged || billing.holdState === 'closed';
  return isClosed ? { kind: 'nothing' } : nextStep({ ...billing, isStoppedCharged: false }, now);
}

/** Charges the whole seconds that the hold pays for; a smaller rest is not charged. */
function chargeOf(billing: Billing, now: Date): BillingStep {
  const { chargeNumber, shouldRun, isStoppedCharged, isPaused } = billing;
  const { meters, price, charged, remaining, due } = figuresOf(billing, now);
  const credits = max(0n, costOfAll(paidOf(meters, charged + remaining)) - charged);
  const after = remaining - credits;
  const isSpent = after < max(1n, costOf(MIN_COVER_SECONDS, price));
  // The hold of a spawn, or of a run after a stop, may be larger than an hour costs.
  const isLarge = costsNow(billing) && after > 2n * price;
  // While charging is paused, nothing has to be held for it.
  const isLast = isPaused || !(shouldRun || isStoppedCharged) || isLarge || (due > 0n && isSpent);
  if (credits === 0n && !isLast) return { kind: 'nothing' };
  return { kind: 'charge', number: chargeNumber + 1, credits: asDecimal(credits), isLast };
}

function holdOf(billing: Billing, now: Date): BillingStep {
  const { price, due } = figuresOf(billing, now);
  const isStarting = !billing.shouldRun && billing.startUntil !== null && billing.startUntil > now;
  if (billing.isStoppedCharged && isStarting) return { kind: 'nothing' };
  const isRunning = billing.shouldRun && billing.runningSince !== null;
  const ahead = isRunning || billing.isStoppedCharged ? price : 0n;
  const credits = max(0n, due) + ahead;
  if (credits === 0n) return { kind: 'nothing' };
  return { kind: 'hold', number: billing.holdNumber + 1, credits: asDecimal(credits) };
}

/**
 * The largest hold that the available credits allow, in whole seconds.
 * @param available exact decimal @returns undefined when they do not pay for one more second
 */
export function affordableHold(
  billing: Billing,
  { requested, available }: { readonly requested: string; readonly available: string },
  now: Date,
): string | undefined {
  const { meters, charged } = figuresOf(billing, now);
  const [past, present] = meters;
  const toCome = [past, { ...present, seconds: UNLIMITED_SECONDS }];
  const payable = costOfAll(paidOf(toCome, charged + min(inUnits(requested), inUnits(available)))) - charged;
  return payable > 0n ? asDecimal(payable) : undefined;
}

/** Milliseconds at each price that are paid, when the rest cannot be charged. */
export function paidMs(billing: Billing, now: Date): { readonly ranMs: string; readonly stoppedMs: string } {
  const { meters, charged } = figuresOf(billing, now);
  const paid = paidOf(meters, charged).map(({ seconds }) => String(seconds * 1_000n));
  const [ranMs = '0', stoppedMs = '0'] = billing.isStoppedCharged ? paid : paid.toReversed();
  return { ranMs, stoppedMs };
}

/** When the hold of a charged machine ends, if that is soon. */
export function nextSettlementAt(billing: Billing, now: Date): Date | undefined {
  if (!costsNow(billing) || billing.holdState !== 'open') return undefined;
  const { meters, charged, remaining } = figuresOf(billing, now);
  const [past, present] = meters;
  const [, covered = present] = paidOf([past, { ...present, seconds: UNLIMITED_SECONDS }], charged + remaining);
  const left = covered.seconds - present.seconds;
  if (left > SETTLEMENT_SECONDS) return undefined;
  return new Date(now.getTime() + Number(max(0n, left)) * 1_000);
}

/** Seconds of a running machine that are not charged yet. */
export function unsettledSeconds(billing: Billing, now: Date): bigint {
  const { due, price } = figuresOf(billing, now);
  return billing.runningSince === null ? 0n : secondsFor(due, price);
}

/** Credits that pay for machines, and their total price per hour; exact decimals. */
export interface Funds {
  readonly balance: string;
  readonly held: string;
  /** The part of `held` that is for charged machines. */
  readonly heldForMachines: string;
  readonly creditsPerHour: string;
}

/** Seconds that credits last at the current total price, rounded down. 0 when nothing costs credits: check `costsNow` first. */
export function runway({ balance, held, heldForMachines, creditsPerHour }: Funds): bigint {
  // Credits of holds that are not yet placed, or already released, are part of the free balance.
  const units = inUnits(balance) - inUnits(held) + min(inUnits(held), inUnits(heldForMachines));
  return inUnits(creditsPerHour) === 0n ? 0n : secondsFor(units, inUnits(creditsPerHour));
}

/** Past time, which is paid first, and the time that is running now. */
type Meters = readonly [past: Meter, present: Meter];

/** More seconds than any balance pays for. */
const UNLIMITED_SECONDS = 1n << 128n;

function figuresOf(billing: Billing, now: Date) {
  const running = { seconds: secondsRun(billing, now), price: inUnits(billing.creditsPerHour) };
  const stopped = { seconds: secondsStopped(billing, now), price: inUnits(billing.stoppedCreditsPerHour) };
  const meters: Meters = billing.isStoppedCharged ? [running, stopped] : [stopped, running];
  const charged = inUnits(billing.charged);
  const remaining = billing.holdState === 'open' ? inUnits(billing.holdCredits) - inUnits(billing.holdSpent) : 0n;
  // An hour of running is held from the start of a machine on; until it runs, it is charged as a stopped one.
  const { price } = billing.shouldRun ? running : meters[1];
  return { meters, price, charged, remaining, due: costOfAll(meters) - charged };
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
