import type Stripe from 'stripe';
import type { SandboxStore } from '../sandbox-store.js';

interface Plan {
  readonly product: string;
  readonly price: string;
  readonly name: string;
  readonly description: string;
  readonly cents: number;
  readonly interval: 'month' | 'year';
  readonly metadata: Readonly<Record<string, string>>;
}

/** The plans of a new sandbox. */
const PLANS: readonly Plan[] = [
  {
    product: 'prod_SandboxStarter01',
    price: 'price_SandboxStarterMonth01',
    name: 'Starter',
    description: 'For trying things out.',
    cents: 1_000,
    interval: 'month',
    metadata: { credits_per_billing: '10' },
  },
  {
    product: 'prod_SandboxPlus0001',
    price: 'price_SandboxPlusMonth00001',
    name: 'Plus',
    description: 'For everyday work.',
    cents: 2_000,
    interval: 'month',
    metadata: { credits_per_billing: '21', popular: 'true' },
  },
  {
    product: 'prod_SandboxPro00001',
    price: 'price_SandboxProMonth000001',
    name: 'Pro',
    description: 'For much and often.',
    cents: 5_000,
    interval: 'month',
    metadata: { credits_per_billing: '55' },
  },
  {
    product: 'prod_SandboxProYear01',
    price: 'price_SandboxProYear0000001',
    name: 'Pro yearly',
    description: 'Twelve months of Pro, paid once a year.',
    cents: 50_000,
    interval: 'year',
    metadata: { credits_per_billing: '660' },
  },
];

/** Creates the plans; existing ones stay unchanged. */
export async function seedCatalogue(store: SandboxStore): Promise<void> {
  for (const { product, price, name, description, cents, interval, metadata } of PLANS) {
    await store.add(makeProduct({ id: product, name, description, metadata: { ...metadata }, price }, store.seconds()));
    await store.add(
      makePrice({ id: price, product, cents, currency: 'usd', interval, metadata: { ...metadata } }, store.seconds()),
    );
  }
}

export interface NewProduct {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: Record<string, string>;
  readonly price?: string;
}

export function makeProduct({ id, name, description, metadata, price }: NewProduct, created: number): Stripe.Product {
  return {
    id,
    object: 'product',
    active: true,
    created,
    default_price: price ?? null,
    description,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata,
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: created,
    url: null,
  };
}

export interface NewPrice {
  readonly id: string;
  readonly product: string;
  readonly cents: number;
  readonly currency: string;
  /** Undefined for a one-time price. */
  readonly interval: string | undefined;
  readonly intervalCount?: number;
  readonly active?: boolean;
  readonly metadata: Record<string, string>;
}

export function makePrice(price: NewPrice, created: number): Stripe.Price {
  const { id, product, cents, currency, interval, intervalCount = 1, active = true, metadata } = price;
  return {
    id,
    object: 'price',
    active,
    billing_scheme: 'per_unit',
    created,
    currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata,
    nickname: null,
    product,
    recurring:
      interval === undefined
        ? null
        : { interval, interval_count: intervalCount, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: interval === undefined ? 'one_time' : 'recurring',
    unit_amount: cents,
    unit_amount_decimal: String(cents) as never, // text on the wire
  };
}
