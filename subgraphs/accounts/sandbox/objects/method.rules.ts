/** Every way to pay, as the hosted page calls it. */
const METHOD_LABELS = {
  card: 'card',
  sepa_debit: 'bank debit',
  ideal: 'iDEAL',
  bancontact: 'Bancontact',
  giropay: 'giropay',
  p24: 'Przelewy24',
  sofort: 'Sofort',
  eps: 'EPS',
  fpx: 'FPX',
  grabpay: 'GrabPay',
} as const;
export type MethodType = keyof typeof METHOD_LABELS;

export const METHOD_TYPES = Object.keys(METHOD_LABELS) as MethodType[];

/** Those of which the bank tells days later whether it pays. Source: Stripe documentation, Delayed notification payment methods */
const DELAYED: ReadonlySet<MethodType> = new Set(['sepa_debit', 'sofort']);

/** How a payment is made: which method, and what comes of it. */
export interface Method {
  readonly type: MethodType;
  readonly outcome: 'succeeds' | 'declines' | 'is pending';
}

/** Paying by this method where nothing goes wrong. */
export function payingBy(type: MethodType): Method {
  return { type, outcome: DELAYED.has(type) ? 'is pending' : 'succeeds' };
}

/** The ways to pay among these words. */
export function methodsAmong(words: readonly string[]): MethodType[] {
  return METHOD_TYPES.filter((type) => words.includes(type));
}

/** The way out of those offered that ends so: at once or after days; the usual one of the kind where none is. */
export function methodFor(offered: readonly string[], isDelayed: boolean): MethodType {
  const fitting = methodsAmong(offered).find((type) => DELAYED.has(type) === isDelayed);
  return fitting ?? (isDelayed ? 'sepa_debit' : 'card');
}

/** How the page calls the method. */
export function methodLabel(type: MethodType): string {
  return DELAYED.has(type) ? `${METHOD_LABELS[type]}, which takes days` : METHOD_LABELS[type];
}
