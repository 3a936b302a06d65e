import type Stripe from 'stripe';
import type { ProcessorPlan } from './processor.js';

/** The plan of a recurring price; undefined if the price is not a plan of the platform. */
export function planOfPrice(price: Stripe.Price): ProcessorPlan | undefined {
  const { product, recurring, unit_amount: cents, currency } = price;
  if (!recurring || cents === null || cents <= 0 || currency !== 'usd') return undefined;
  if (typeof product === 'string' || product.deleted || !product.active) return undefined;
  return {
    priceId: price.id,
    productId: product.id,
    name: product.name,
    description: product.description ?? '',
    cents,
    currency,
    interval: recurring.interval,
    intervalCount: recurring.interval_count,
    credits: statedCredits(price.metadata, product.metadata) ?? Math.max(1, Math.floor(cents / 100)),
  };
}

/** Credits for each billing, if the operator set them in the metadata; else 1 USD = 1 credit. */
function statedCredits(...metadata: readonly Stripe.Metadata[]): number | undefined {
  const stated = metadata.map((words) => words.credits_per_billing ?? words.credits).find((word) => word !== undefined);
  return stated !== undefined && /^[1-9]\d{0,8}$/.test(stated) ? Number(stated) : undefined;
}
