import {
  boolean,
  currencyAt,
  integer,
  isGiven,
  mergeMetadata,
  oneOf,
  part,
  requiredText,
  text,
  type Form,
} from '../form.rules.js';
import { newId } from '../sandbox-objects.js';
import { makePrice, makeProduct } from '../objects/catalogue.js';
import { missing, refuse } from '../refusal.js';
import type { Handler, Routes } from '../route.js';
import { activity, equal, listRoute } from './list.js';

const createProduct: Handler = async (store, { form }) =>
  store.add(
    makeProduct(
      {
        id: newId('prod_', 14),
        name: requiredText(form, 'name'),
        description: text(form, 'description') ?? null,
        metadata: mergeMetadata({}, form),
      },
      store.seconds(),
    ),
  );

const INTERVALS = ['day', 'week', 'month', 'year'] as const;

/** Three years at most. Source: Stripe API reference, Prices */
const MAX_INTERVALS = { day: 1095, week: 156, month: 36, year: 3 } as const;

function intervalOf(form: Form): (typeof INTERVALS)[number] | undefined {
  const path = 'recurring[interval]';
  const interval = oneOf(form, path, INTERVALS);
  if (interval === undefined && isGiven(form, 'recurring')) throw missing(path);
  return interval;
}

function intervalCountOf(form: Form): number {
  const path = 'recurring[interval_count]';
  const count = integer(form, path) ?? 1;
  const max = MAX_INTERVALS[oneOf(form, 'recurring[interval]', INTERVALS) ?? 'month'];
  if (count < 1 || count > max) throw refuse({ message: `Invalid ${path}: must be from 1 to ${max}`, param: path });
  return count;
}

const createPrice: Handler = async (store, { form }) => {
  const { object: product } = await store.get('product', requiredText(form, 'product'), 'product');
  const cents = integer(form, 'unit_amount');
  if (cents === undefined || cents < 0) throw refuse({ message: 'Invalid integer.', param: 'unit_amount' });
  return store.add(
    makePrice(
      {
        id: newId('price_'),
        product: product.id,
        cents,
        currency: currencyAt(form, 'currency'),
        interval: intervalOf(form),
        intervalCount: intervalCountOf(form),
        metadata: mergeMetadata({}, form),
      },
      store.seconds(),
    ),
  );
};

const updateProduct: Handler = async (store, { id, form }) => {
  const { object: product } = await store.get('product', id);
  product.active = boolean(form, 'active') ?? product.active;
  product.name = text(form, 'name') ?? product.name;
  if (isGiven(form, 'description')) product.description = text(form, 'description') ?? null;
  product.metadata = mergeMetadata(product.metadata, form);
  await store.save(product);
  return product;
};

const updatePrice: Handler = async (store, { id, form }) => {
  const { object: price } = await store.get('price', id);
  price.active = boolean(form, 'active') ?? price.active;
  price.metadata = mergeMetadata(price.metadata, form);
  await store.save(price);
  return price;
};

/** Routes of products and prices. */
export const CATALOGUE_ROUTES: Routes = {
  'GET /v1/products': listRoute('product', '/v1/products', (form) => ({ fields: activity(form) })),
  'POST /v1/products': createProduct,
  'GET /v1/products/{id}': async (store, { id }) => (await store.get('product', id)).object,
  'POST /v1/products/{id}': updateProduct,
  'GET /v1/prices': listRoute('price', '/v1/prices', (form) => {
    const interval = text(part(form, 'recurring'), 'interval');
    const recurring = interval === undefined ? {} : { recurring: { interval } };
    return { fields: { ...equal(form, 'product', 'type', 'currency'), ...activity(form), ...recurring } };
  }),
  'POST /v1/prices': createPrice,
  'GET /v1/prices/{id}': async (store, { id }) => (await store.get('price', id)).object,
  'POST /v1/prices/{id}': updatePrice,
};
