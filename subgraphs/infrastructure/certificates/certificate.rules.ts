import { paymentRequired } from '../../../kernel/errors.js';
import { inUnits } from '../credits.rules.js';

/** Credits that a certificate needs; none are spent. Source: platform document, Limits */
const NEEDED_CREDITS = 10;

/** The largest number of 64 bits below it. */
const JUST_BELOW = 9.999999999999998;

/** Where the configuration expects a private key that only its holder has. */
export const KEY_FILE = '/etc/nebula/host.key';

/** Refuses who has too few credits. Source: platform document, Errors. @throws PAYMENT_REQUIRED with both figures */
export function checkCredits(balance: string): void {
  if (inUnits(balance) >= inUnits(String(NEEDED_CREDITS))) return;
  throw paymentRequired(
    `A certificate needs ${NEEDED_CREDITS} credits in your balance, but spends none; you have ${balance}.`,
    {
      required_credits: NEEDED_CREDITS,
      // A number of 64 bits may round up to what is needed.
      current_credits: Math.min(Number(balance), JUST_BELOW),
    },
  );
}

/** The configuration with the key in it, where it is not the holder's alone. @param key PEM */
export function withKey(configuration: string, key: string | null): string {
  return key === null ? configuration : configuration.replace(JSON.stringify(KEY_FILE), () => JSON.stringify(key));
}

/** What the certificate's machine is called in the private network, at first. */
export function labelOf(id: number): string {
  return `certificate-${id}`;
}

/** What the private key of a certificate is sealed for. */
export function sealPurpose(reference: string): string {
  return `overlay-certificate:${reference}`;
}
