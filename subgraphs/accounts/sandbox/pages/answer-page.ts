import { isStorable } from '../../../../kernel/scalars/text.js';
import type { AccountsRuntime } from '../../services.js';
import { withSandboxStore, SandboxStore } from '../sandbox-store.js';
import { parseForm, type Form } from '../form.rules.js';
import { Refusal } from '../refusal.js';
import type { PageAnswer } from './answer.js';
import { showDeposit, submitDeposit } from './deposit-page.js';
import { showCheckout, submitCheckout } from './checkout-page.js';
import { html, page, pageHeaders } from './html.rules.js';
import { showPortal, submitPortal } from './portal-page.js';

type Page = (store: SandboxStore, id: string, form: Form) => Promise<PageAnswer>;

const PAGES: Readonly<Record<string, { readonly show: Page; readonly submit: Page }>> = {
  checkout: { show: showCheckout, submit: submitCheckout },
  portal: { show: showPortal, submit: submitPortal },
  deposit: { show: showDeposit, submit: submitDeposit },
};

interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
}

/** Answers a request for a hosted page. The id in the path is the only credential. */
export async function answerPage(
  runtime: AccountsRuntime,
  { method, path, query, body }: PageRequest,
): Promise<PageAnswer> {
  const [, name = '', id = ''] = /^\/([a-z]+)\/([A-Za-z0-9_-]{1,100})$/.exec(path) ?? [];
  const found = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
  if (!found || runtime.services.config.payments.processor !== 'sandbox') return nothing();
  try {
    if (method === 'POST') {
      const form = formOf(body);
      return await withSandboxStore(runtime, null, (store) => found.submit(store, id, form));
    }
    const form = formOf(query);
    return await runtime.database.change((transaction) =>
      found.show(new SandboxStore(transaction, runtime, null), id, form),
    );
  } catch (error) {
    if (error instanceof Refusal) return nothing();
    throw error;
  }
}

function formOf(text: string): Form {
  const form = parseForm(text);
  const storable = Object.entries(form).filter(([, value]) => typeof value === 'string' && isStorable(value));
  return Object.fromEntries(storable);
}

function nothing(): PageAnswer {
  const content = html`<p>There is nothing at this address, or no longer.</p>`;
  return { status: 404, headers: pageHeaders([]), body: page('Not found', content) };
}
