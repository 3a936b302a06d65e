import { badRequest } from '../../../../kernel/errors.js';
import { checkText } from '../../../../kernel/text.js';
import { checkSlug } from '../../catalogue.rules.js';
import { inUnits } from '../../credits.rules.js';

/** Input for a flavor. */
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

/** Minimum and maximum of each size. */
const SIZES = {
  cpuCores: [1, 512],
  memoryMb: [128, 16_777_216],
  dataDiskGb: [1, 65_536],
} as const satisfies Partial<Record<keyof FlavorSpec, readonly [number, number]>>;

/** Maximum price per hour in credits, to catch typing errors. The table has the same constraint. */
const HIGHEST_PRICE = '10000';

/** Validates a flavor. @throws BAD_REQUEST */
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

/** The error for an invalid price of stopped machines. */
export function wrongStoppedPrice(): Error {
  return badRequest('`stoppedCreditsPerHour` must be zero or more, and at most `creditsPerHour`.');
}

/** Hours that the credits pay for, rounded down to hundredths; zero for a negative balance. Both are exact decimals, the price above zero. */
export function affordableHours(credits: string, creditsPerHour: string): number {
  const hundredths = (inUnits(credits) * 100n) / inUnits(creditsPerHour);
  return hundredths > 0n ? Number(hundredths) / 100 : 0;
}
