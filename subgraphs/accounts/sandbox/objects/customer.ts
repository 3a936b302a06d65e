import type Stripe from 'stripe';
import { newId } from '../sandbox-objects.js';

export interface NewCustomer {
  readonly email: string | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly metadata: Record<string, string>;
}

export function makeCustomer({ email, name, description, metadata }: NewCustomer, created: number): Stripe.Customer {
  return {
    id: newId('cus_', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description,
    email,
    invoice_prefix: newId('', 8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata,
    name,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}

export function makePortalSession(
  { customer, returnUrl, publicUrl }: { customer: string; returnUrl: string | null; publicUrl: string },
  created: number,
): Stripe.BillingPortal.Session {
  const id = newId('bps_');
  return {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_SandboxConfiguration01',
    created,
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: returnUrl,
    url: `${publicUrl}/sandbox/portal/${id}`,
  };
}
