/** The payment methods, with their labels on the hosted page. */
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

/** Methods whose payments settle days later. Source: Stripe documentation, Delayed notification payment methods */
const DELAYED: ReadonlySet<MethodType> = new Set(['sepa_debit', 'sofort']);

/** A payment method and its outcome. */
export interface Method {
  readonly type: MethodType;
  readonly outcome: 'succeeds' | 'declines' | 'is pending';
}

/** The method with a successful outcome. */
export function successfulMethod(type: MethodType): Method {
  return { type, outcome: DELAYED.has(type) ? 'is pending' : 'succeeds' };
}

/** The payment methods among these words. */
export function methodsAmong(words: readonly string[]): MethodType[] {
  return METHOD_TYPES.filter((type) => words.includes(type));
}

/** The first of the methods that settles like this, at once or after days; a default if there is none. */
export function methodFor(offered: readonly string[], isDelayed: boolean): MethodType {
  const fitting = methodsAmong(offered).find((type) => DELAYED.has(type) === isDelayed);
  return fitting ?? (isDelayed ? 'sepa_debit' : 'card');
}

/** The label of the method on the page. */
export function methodLabel(type: MethodType): string {
  return DELAYED.has(type) ? `${METHOD_LABELS[type]}, which takes days` : METHOD_LABELS[type];
}
