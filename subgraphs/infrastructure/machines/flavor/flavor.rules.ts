import { badRequest } from '../../../../kernel/errors.js';
import { checkText } from '../../../../kernel/scalars/text.js';
import { checkSlug } from '../../catalogue.rules.js';
import { inUnits } from '../../credits.rules.js';
import { FLAVOR_SIZES, type VmFlavorArgs } from './flavor.js';

const SIZES = Object.keys(FLAVOR_SIZES) as (keyof typeof FLAVOR_SIZES)[];

/** Maximum price per hour in credits, to catch typing errors. The table has the same constraint. */
const MAX_PRICE = '10000';

/** Validates a flavor. @throws BAD_REQUEST */
export function checkFlavor(args: VmFlavorArgs): void {
  checkSlug('name', args.name);
  checkText('displayName', args.displayName, 100);
  if (typeof args.description === 'string') checkText('description', args.description, 2000);
  for (const size of SIZES) {
    const [min, max] = FLAVOR_SIZES[size];
    if (args[size] < min || args[size] > max) throw badRequest(`\`${size}\` must be from ${min} to ${max}.`);
  }
  const price = inUnits(args.creditsPerHour);
  if (price <= 0n || price > inUnits(MAX_PRICE)) {
    throw badRequest(`\`creditsPerHour\` must be above zero and at most ${MAX_PRICE}.`);
  }
  const stopped = inUnits(args.stoppedCreditsPerHour ?? '0');
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
