import { isStorable } from '../../../../kernel/scalars/text.js';
import type { SandboxStore } from '../sandbox-store.js';
import { texts } from '../form.rules.js';
import { unknownRoute } from '../refusal.js';
import { SandboxAnswer, type Handler, type Request, type Routes } from '../route.js';
import { TEST_ROUTES } from '../test-api/routes.js';
import { CATALOGUE_ROUTES } from '../api/catalogue.js';
import { CHECKOUT_ROUTES } from '../api/checkout.js';
import { CUSTOMER_ROUTES } from '../api/customer.js';
import { expand } from '../api/expand.js';
import { eventTypes, listRoute } from '../api/list.js';
import { PAYMENT_ROUTES } from '../api/payment.js';
import { SUBSCRIPTION_ROUTES } from '../api/subscription.js';

const EVENT_ROUTES: Routes = {
  'GET /v1/events': listRoute('event', '/v1/events', eventTypes),
  'GET /v1/events/{id}': async (store, { id }) => (await store.get('event', id)).object,
};

const ROUTES: Routes = {
  ...CATALOGUE_ROUTES,
  ...CUSTOMER_ROUTES,
  ...CHECKOUT_ROUTES,
  ...PAYMENT_ROUTES,
  ...SUBSCRIPTION_ROUTES,
  ...EVENT_ROUTES,
  ...TEST_ROUTES,
};

/** Handlers with the pattern of their method and path; fixed paths before paths with an id. */
const TABLE = Object.entries(ROUTES)
  .map(([route, handler]) => ({ pattern: new RegExp(`^${route.replace('{id}', '([^/ ]{1,255})')}$`), handler }))
  .toSorted((one, other) => Number(one.pattern.source.includes('(')) - Number(other.pattern.source.includes('(')));

/** Finds the handler of a method and path, with the id in the path. @throws Refusal for an unknown path */
export function findRoute(method: string, path: string): { readonly handler: Handler; readonly id: string } {
  for (const { pattern, handler } of TABLE) {
    const match = pattern.exec(`${method} ${path}`);
    const id = decodeId(match?.[1] ?? '');
    if (match && isStorable(id)) return { handler, id };
  }
  throw unknownRoute(method, path);
}

function decodeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Answers one request of the API in the caller's transaction. @throws Refusal */
export async function answerRequest(store: SandboxStore, handler: Handler, request: Request): Promise<SandboxAnswer> {
  const answer = await handler(store, request);
  if (answer instanceof SandboxAnswer) return answer;
  return new SandboxAnswer(200, await expand(store, answer, texts(request.form, 'expand')));
}
