import { isGiven, mergeMetadata, requiredText, text } from '../form.rules.js';
import { makeCustomer, makePortalSession } from '../objects/customer.js';
import type { Handler, Routes } from '../route.js';
import { emit } from '../webhook/post-event.js';
import { equal, listRoute } from './list.js';
import { checkUrl } from './url.js';

const createCustomer: Handler = async (store, { form }) => {
  const customer = makeCustomer(
    {
      email: text(form, 'email') ?? null,
      name: text(form, 'name') ?? null,
      description: text(form, 'description') ?? null,
      metadata: mergeMetadata({}, form),
    },
    store.seconds(),
  );
  await store.add(customer, { customer: customer.id });
  await emit(store, 'customer.created', customer);
  return customer;
};

const updateCustomer: Handler = async (store, { id, form }) => {
  const { object: customer } = await store.get('customer', id);
  const { email, metadata } = customer;
  if (isGiven(form, 'email')) customer.email = text(form, 'email') ?? null;
  if (isGiven(form, 'name')) customer.name = text(form, 'name') ?? null;
  if (isGiven(form, 'description')) customer.description = text(form, 'description') ?? null;
  customer.metadata = mergeMetadata(metadata, form);
  await store.save(customer);
  await emit(store, 'customer.updated', customer, { email, metadata });
  return customer;
};

const createPortalSession: Handler = async (store, { form }) => {
  const { object: customer } = await store.get('customer', requiredText(form, 'customer'), 'customer');
  const url = text(form, 'return_url');
  const returnUrl = url === undefined ? null : checkUrl(url, 'return_url');
  const { publicUrl } = store.runtime;
  const session = makePortalSession({ customer: customer.id, returnUrl, publicUrl }, store.seconds());
  return store.add(session, { customer: customer.id });
};

/** Routes of customers and portal sessions. */
export const CUSTOMER_ROUTES: Routes = {
  'GET /v1/customers': listRoute('customer', '/v1/customers', (form) => ({ fields: equal(form, 'email') })),
  'POST /v1/customers': createCustomer,
  'GET /v1/customers/search': async (store, request) => {
    const [, field = '', value = ''] =
      /^(email|name):["']([^"']*)["']$/.exec(requiredText(request.form, 'query')) ?? [];
    const data = field === '' ? [] : (await store.all('customer', { [field]: value })).toReversed();
    return { object: 'search_result', data, has_more: false, next_page: null, url: '/v1/customers/search' };
  },
  'GET /v1/customers/{id}': async (store, { id }) => (await store.get('customer', id)).object,
  'POST /v1/customers/{id}': updateCustomer,
  'POST /v1/billing_portal/sessions': createPortalSession,
};
