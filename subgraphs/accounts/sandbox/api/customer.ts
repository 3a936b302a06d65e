import { isGiven, mergeMetadata, requiredText, text } from '../form.rules.js';
import { makeCustomer, makePortalSession } from '../objects/customer.js';
import type { Handler, Routes } from '../route.js';
import { emit } from '../webhook/post-event.js';
import { equal, lister } from './list.js';
import { checkUrl } from './url.js';

const createCustomer: Handler = async (desk, { form }) => {
  const customer = makeCustomer(
    {
      email: text(form, 'email') ?? null,
      name: text(form, 'name') ?? null,
      description: text(form, 'description') ?? null,
      metadata: mergeMetadata({}, form),
    },
    desk.seconds(),
  );
  await desk.add(customer, { customer: customer.id });
  await emit(desk, 'customer.created', customer);
  return customer;
};

const updateCustomer: Handler = async (desk, { id, form }) => {
  const { object: customer } = await desk.take('customer', id);
  const { email, metadata } = customer;
  if (isGiven(form, 'email')) customer.email = text(form, 'email') ?? null;
  if (isGiven(form, 'name')) customer.name = text(form, 'name') ?? null;
  if (isGiven(form, 'description')) customer.description = text(form, 'description') ?? null;
  customer.metadata = mergeMetadata(metadata, form);
  await desk.save(customer);
  await emit(desk, 'customer.updated', customer, { email, metadata });
  return customer;
};

const createPortalSession: Handler = async (desk, { form }) => {
  const { object: customer } = await desk.take('customer', requiredText(form, 'customer'), 'customer');
  const url = text(form, 'return_url');
  const returnUrl = url === undefined ? null : checkUrl(url, 'return_url');
  const { publicUrl } = desk.runtime;
  const session = makePortalSession({ customer: customer.id, returnUrl, publicUrl }, desk.seconds());
  return desk.add(session, { customer: customer.id });
};

/** Who pays, and the pages on which they look after what they subscribed to. */
export const CUSTOMER_ROUTES: Routes = {
  'GET /v1/customers': lister('customer', '/v1/customers', (form) => ({ fields: equal(form, 'email') })),
  'POST /v1/customers': createCustomer,
  'GET /v1/customers/search': async (desk, request) => {
    const [, field = '', value = ''] =
      /^(email|name):["']([^"']*)["']$/.exec(requiredText(request.form, 'query')) ?? [];
    const data = field === '' ? [] : (await desk.all('customer', { [field]: value })).toReversed();
    return { object: 'search_result', data, has_more: false, next_page: null, url: '/v1/customers/search' };
  },
  'GET /v1/customers/{id}': async (desk, { id }) => (await desk.take('customer', id)).object,
  'POST /v1/customers/{id}': updateCustomer,
  'POST /v1/billing_portal/sessions': createPortalSession,
};
