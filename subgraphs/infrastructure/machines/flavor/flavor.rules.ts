import { badRequest } from '../../../../kernel/errors.js';
import { checkSlug, checkText } from '../../catalogue.rules.js';
import { inUnits } from '../../credits.rules.js';

/** What an administrator decides about a flavor. */
export interface FlavorSpec {
  readonly name: string;
  readonly displayName: string;
  readonly cpuCores: number;
  readonly memoryMb: number;
  readonly dataDiskGb: number;
  /** Exact decimal. */
  readonly creditsPerHour: string;
  /** Exact decimal; null: as it is, none for a new flavor. */
  readonly stoppedCreditsPerHour: string | null;
  readonly description: string | null;
}

/** The least and the most of each size; above stands what no host of today has. */
const SIZES = {
  cpuCores: [1, 512],
  memoryMb: [128, 16_777_216],
  dataDiskGb: [1, 65_536],
} as const satisfies Partial<Record<keyof FlavorSpec, readonly [number, number]>>;

/** Credits an hour costs at most: a price above is a slip of the pen. The table's constraint says the same. */
const HIGHEST_PRICE = '10000';

/** Refuses terms that no flavor can have. @throws BAD_REQUEST */
export function checkFlavor(terms: FlavorSpec): void {
  checkSlug('name', terms.name);
  checkText('displayName', terms.displayName, 100);
  if (terms.description !== null) checkText('description', terms.description, 2000);
  for (const size of ['cpuCores', 'memoryMb', 'dataDiskGb'] as const) {
    const [least, most] = SIZES[size];
    if (terms[size] < least || terms[size] > most) throw badRequest(`\`${size}\` must be from ${least} to ${most}.`);
  }
  const price = inUnits(terms.creditsPerHour);
  if (price <= 0n || price > inUnits(HIGHEST_PRICE)) {
    throw badRequest(`\`creditsPerHour\` must be above zero and at most ${HIGHEST_PRICE}.`);
  }
  const stopped = inUnits(terms.stoppedCreditsPerHour ?? '0');
  if (stopped < 0n || stopped > price) throw wrongStoppedPrice();
}

/** What is said of a price for stopped machines that cannot be. */
export function wrongStoppedPrice(): Error {
  return badRequest('`stoppedCreditsPerHour` must be zero or more, and at most `creditsPerHour`.');
}

/** Hours that the credits pay for, rounded down to hundredths; zero for a debt. Both are exact decimals, the price above zero. */
export function affordableHours(credits: string, creditsPerHour: string): number {
  const hundredths = (inUnits(credits) * 100n) / inUnits(creditsPerHour);
  return hundredths > 0n ? Number(hundredths) / 100 : 0;
}
