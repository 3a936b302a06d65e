import { paymentRequired } from '../../../kernel/errors.js';
import { inUnits } from '../credits.rules.js';

/** Balance required for a certificate; nothing is spent. */
const NEEDED_CREDITS = 10;

/** The largest double below it. */
const BELOW_NEEDED_CREDITS = 9.999999999999998;

/** Path at which the configuration expects a private key supplied by the user. */
export const KEY_FILE = '/etc/nebula/host.key';

/** Checks the balance. @throws PAYMENT_REQUIRED with both amounts */
export function checkCredits(balance: string): void {
  if (inUnits(balance) >= inUnits(String(NEEDED_CREDITS))) return;
  throw paymentRequired(
    `A certificate needs ${NEEDED_CREDITS} credits in your balance, but spends none; you have ${balance}.`,
    {
      required_credits: NEEDED_CREDITS,
      // Conversion to a double may round up to the required amount.
      current_credits: Math.min(Number(balance), BELOW_NEEDED_CREDITS),
    },
  );
}

/** Inserts the private key into the configuration, if the platform has it. @param key PEM */
export function withKey(configuration: string, key: string | null): string {
  return key === null ? configuration : configuration.replace(JSON.stringify(KEY_FILE), () => JSON.stringify(key));
}

/** Initial peer name in the private network. */
export function labelOf(id: number): string {
  return `certificate-${id}`;
}

/** Purpose under which the private key of a certificate is encrypted. */
export function sealPurpose(reference: string): string {
  return `overlay-certificate:${reference}`;
}
