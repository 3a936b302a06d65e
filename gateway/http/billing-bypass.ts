import type { IncomingHttpHeaders } from 'node:http';
import { matchesSecret } from '../../kernel/security/credentials.js';

/** Whether a request is exempt from billing. */
export type BillingBypass = (request: { readonly headers: IncomingHttpHeaders }) => boolean;

/** Compares `X-Billing-Bypass` with the configured secret; without one the header is ignored. */
export function billingBypass(secret: string | undefined): BillingBypass {
  return ({ headers }) => {
    const given = headers['x-billing-bypass'];
    return secret !== undefined && typeof given === 'string' && matchesSecret(given, [secret]);
  };
}
