import { randomUUID } from 'node:crypto';
import { ADMIN_TOKEN } from '../arrangements.js';
import { LLAMA, modelPack, publishAndWait } from '../models/artifacts.js';
import { readCertificate, renewCertificate, requestCertificate } from '../network/certificate.js';
import { command, machineIn, signInToBeta, spawn } from '../machines/machine.js';
import { configurationOf, enrolledMachine, hashOf, report } from '../network/network.js';
import { addCustomer, deliver, eventOf, linkCustomer, seconds } from '../payments/payments.js';
import { asAdmin, call, type Json } from '../platform.js';
import { subTokenOf } from '../storage/sub-token.js';
import { atIssuer, begin, comeBack, cookieOf, exchange } from '../accounts/social.js';
import { serviceToken, type SignedIn } from '../accounts/wallet.js';

type Api = (target: string, body?: object) => Promise<Json>;

/** Sends requests as this user. @throws for an error response */
function apiOf({ token }: { readonly token: string }, prefix = '/api'): Api {
  return async (target, body) => {
    const [method = '', path = ''] = target.split(' ');
    const reply = await call(`${method} ${prefix}${path}`, { token, ...(body && { body }) });
    if (reply.status >= 400) throw new Error(`${target}: ${reply.status} ${reply.text}`);
    return reply.body;
  };
}

/** Calls every route of sign-in and billing successfully. */
export async function useAccounts(): Promise<void> {
  const user = await signInToBeta('1000');
  const api = apiOf(user);
  await signInSocially();
  const { refresh_token } = await api('GET /auth/token/');
  await api('POST /auth/token/refresh/', { refresh_token });
  await api('POST /auth/verify-token/', { token: user.token });
  await call('GET /.well-known/jwks.json');
  const settings = await api('GET /notifications/settings/');
  await api('PUT /notifications/settings/', settings as object);
  await api('PATCH /notifications/settings/', { marketing_emails: true });
  await subTokenOf(user);
  await api('GET /objectstore/acl/');
  await useBilling(user, api);
}

async function signInSocially(): Promise<void> {
  for (const path of ['/api/auth/exchange/', '/auth/exchange/']) {
    const begun = await begin();
    const { headers } = await comeBack(await atIssuer(begun, { account: randomUUID() }), cookieOf(begun));
    const code = new URL(headers.get('location') ?? 'none:').searchParams.get('code') ?? '';
    await exchange({ code }, path);
  }
}

async function useBilling(user: SignedIn, api: Api): Promise<void> {
  await asAdmin('mutation { adminRecordTokenPrice(priceUsd: "312.5", blockNumber: 1) { priceUsd } }');
  for (const path of ['credits/balance/', 'latest-tao-price/', 'payproc/active-subscription/'])
    await api(`GET /billing/${path}`);
  const own = await api('GET /billing/substrate-address/');
  await api(`GET /billing/substrate-address/${own.results[0].id}/`);
  const admin = apiOf({ token: ADMIN_TOKEN });
  await admin('GET /billing/credits/balance/?page_size=2');
  await admin(`GET /billing/credits/balance/?account_ss58=${user.substrateAddress}`);
  const period = { period_start: '2026-10-01T00:00:00Z', period_end: '2026-11-01T00:00:00Z' };
  const validator = apiOf({ token: await serviceToken('VALIDATOR') });
  const usage = { account_ss58: user.substrateAddress, ...period, storage_bytes: 1024 };
  await validator('POST /billing/usage/record/', usage);
  await api('POST /billing/payproc/create-checkout-session/', { amount: 20 });
  await api('POST /billing/payproc/create-payment/', { payment_type: 'onetime', amount: 21 });
  const { plans } = await api('GET /billing/payproc/subscription-plans/');
  await api('POST /billing/payproc/create-subscription/', { price_id: plans[0].price_id });
  await useSubscription(user, api, plans[0].price_id as string);
  const sent = { payment_type: 'payproc', amount: 25, currency: 'USD' };
  const { id } = await api('POST /billing/transactions/', sent);
  await api('GET /billing/transactions/');
  await api('GET /billing/transactions/?page=1');
  await api(`GET /billing/transactions/${id}/`);
}

async function useSubscription(user: SignedIn, api: Api, price: string): Promise<void> {
  const customer = await addCustomer();
  await linkCustomer(user, customer);
  await api('POST /billing/payproc/customer-portal/', {});
  const items = [{ price: { id: price }, current_period_start: seconds(), current_period_end: seconds(86_400) }];
  const fields = {
    object: 'subscription',
    customer,
    status: 'active',
    cancel_at_period_end: false,
    created: seconds(),
  };
  const id = `sub_${randomUUID().replaceAll('-', '')}`;
  await deliver(eventOf('customer.subscription.created', { id, ...fields, items: { data: items } }));
  const marketing = apiOf({ token: await serviceToken('MARKETING') });
  const { results } = await marketing('GET /billing/subscriptions/');
  await marketing(`GET /billing/subscriptions/${results[0].id}/`);
  await api('GET /billing/payproc/active-subscription/');
}

/** Calls every route of machines, certificates and models successfully. */
export async function useInfrastructure(): Promise<void> {
  const user = await signInToBeta('1000');
  const api = apiOf(user);
  for (const list of ['flavors', 'images', 'applications']) await api(`GET /infrastructure/vm/${list}/`);
  const { body } = await spawn(user);
  await machineIn('running', body.id, user);
  for (const [word, state] of [
    ['reboot', 'running'],
    ['stop', 'stopped'],
    ['start', 'running'],
    ['terminate', 'terminated'],
  ] as const) {
    await command(body.id, word, user);
    await machineIn(state, body.id, user);
  }
  await api('GET /infrastructure/vm/instances/');
  await requestCertificate(user);
  await readCertificate(user);
  await renewCertificate(user);
  const name = `t${randomUUID().slice(0, 8)}-open/llama`;
  await publishAndWait(name, 'v1', modelPack(LLAMA));
  for (const path of ['', 'formats/', `${name}/`, `${name}/v1/`]) await api(`GET /models/${path}`);
}

/** Calls every route of the private network successfully. */
export async function useNetwork(): Promise<void> {
  const user = await signInToBeta('1000');
  const api = apiOf(user);
  const tenant = await api('POST /network/provision/');
  await api('GET /network/me/');
  const group = await api('POST /network/groups/', { label: 'web' });
  const network = await api('POST /network/networks/', { name: 'office' });
  await call('GET /network/join.sh');
  const { peer, token } = await enrolledMachine(user, { vm_label: 'first' });
  await report(token, { applied: hashOf(await configurationOf(token)) });
  await api(`PATCH /network/peers/${peer}/`, { label: 'second' });
  await api(`GET /network/peers/${peer}/`);
  await api(`POST /network/groups/${group.id}/members/`, { peer });
  const policy = await api('POST /network/policies/', { source_group: tenant.default_group, dest_group: group.id });
  await api(`PATCH /network/policies/${policy.id}/`, { source_group: tenant.default_group, dest_group: group.id });
  const [inside] = [`/network/networks/${network.id}`];
  const resource = await api(`POST ${inside}/resources/`, { name: 'printer', address: '10.0.0.7' });
  await api(`PATCH ${inside}/resources/${resource.id}/`, { name: 'scanner' });
  const router = await api(`POST ${inside}/routers/`, { peer });
  const enrollment = await api('POST /network/infra/enroll/', { name: 'gateway' });
  const { id: key } = (await api('GET /network/enroll-keys/'))[0];
  const lists = ['groups', 'networks', 'peers', 'policies', 'topology', 'infra/enrollments'];
  for (const path of lists) await api(`GET /network/${path}/`);
  for (const path of ['resources', 'routers']) await api(`GET ${inside}/${path}/`);
  const { headers } = await call('GET /api/network/topology/', { token: user.token });
  await call('GET /api/network/topology/', {
    token: user.token,
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  const gone = [`infra/enrollments/${enrollment.id}`, `enroll-keys/${key}`, `policies/${policy.id}`];
  const within = [`networks/${network.id}/routers/${router.id}`, `networks/${network.id}/resources/${resource.id}`];
  for (const path of [...gone, ...within, `networks/${network.id}`, `groups/${group.id}`, `peers/${peer}`])
    await api(`DELETE /network/${path}/`);
}
