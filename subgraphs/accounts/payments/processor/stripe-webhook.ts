import type Stripe from 'stripe';
import { badRequest } from '../../../../kernel/errors.js';
import type { ProcessorEvent } from './processor.js';

/** Tolerance of the signature time in seconds. */
const TOLERANCE_SECONDS = 300;

/** Parses an event that one of the secrets signed recently. @throws BAD_REQUEST */
export function readSignedEvent(
  stripe: Stripe,
  request: { readonly body: string; readonly signature: string; readonly secrets: readonly string[] },
  now: Date,
): ProcessorEvent {
  refuseFuture(request.signature, now);
  for (const secret of request.secrets) {
    const event = eventSignedBy(stripe, { ...request, secret }, now);
    if (event) return asEvent(event, request.body);
  }
  throw badRequest('The signature is invalid or too old.');
}

function refuseFuture(signature: string, now: Date): void {
  const times = [...signature.matchAll(/(?:^|,)t=(\d{1,12})(?=,|$)/g)].map(([, seconds]) => Number(seconds));
  const latest = times.length === 1 ? (times[0] ?? Infinity) : Infinity;
  if (latest - Math.floor(now.getTime() / 1000) > TOLERANCE_SECONDS)
    throw badRequest('The signature is invalid or too old.');
}

function eventSignedBy(
  stripe: Stripe,
  { body, signature, secret }: { readonly body: string; readonly signature: string; readonly secret: string },
  now: Date,
): Stripe.Event | undefined {
  try {
    return stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, now.getTime());
  } catch {
    return undefined;
  }
}

/** The event with its raw JSON. @throws BAD_REQUEST if a required field is missing */
export function asEvent(event: Stripe.Event, payload: string): ProcessorEvent {
  const { id, type, created } = event as { id: unknown; type: unknown; created: unknown };
  if (!isName(id) || !isName(type) || typeof created !== 'number')
    throw badRequest('This is not an event of the payment processor.');
  return { id, type, occurredAt: new Date(created * 1000), payload };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.:-]{1,255}$/.test(value);
}
