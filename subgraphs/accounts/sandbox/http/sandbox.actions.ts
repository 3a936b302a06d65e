import { createHash } from 'node:crypto';
import { query } from '../../../../kernel/database/query.js';
import { matchesSecret } from '../../../../kernel/security/credentials.js';
import { isStorable, unstorable } from '../../../../kernel/scalars/text.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import { isSandboxChain } from '../../payments/chain/sandbox-chains.js';
import { answerRequest, findRoute } from './answer-request.js';
import { answerRpc } from '../chain/json-rpc.js';
import { withSandboxStore, SandboxStore } from '../sandbox-store.js';
import { parseForm } from '../form.rules.js';
import { newId } from '../sandbox-objects.js';
import { answerPage } from '../pages/answer-page.js';
import { Refusal, refuse, unauthorized, unknownRoute } from '../refusal.js';
import { SandboxAnswer } from '../route.js';
import type { SandboxRequestRow } from '../rows.js';
import { API_VERSION } from '../webhook/post-event.js';
import { sandboxSecrets } from '../webhook/secret.actions.js';

/** An HTTP request to the sandbox, relative to its root. */
export interface SandboxRequest {
  readonly method: string;
  /** From `/v1/…`, `/chains/…`, `/checkout/…`, `/portal/…` or `/deposit/…`, without the query. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers a request: the processor's API below /v1, nodes of chains below /chains, hosted pages elsewhere. Refusals are answers. */
export async function handleSandboxRequest(
  runtime: AccountsRuntime,
  request: SandboxRequest,
): Promise<SandboxResponse> {
  const requestId = newId('req_', 14);
  try {
    if (request.path.startsWith('/v1/')) return await answerApi(runtime, request, requestId);
    if (request.path.startsWith('/chains/')) return await answerNode(runtime, request, requestId);
    return await answerPage(runtime, request);
  } catch (error) {
    if (error instanceof Refusal) return json(new SandboxAnswer(error.status, { error: error.body }), requestId);
    throw error;
  }
}

async function answerApi(
  runtime: AccountsRuntime,
  request: SandboxRequest,
  requestId: string,
): Promise<SandboxResponse> {
  await authenticate(runtime, request);
  const { method, path, body } = request;
  const { handler, id } = findRoute(method, path);
  const text = method === 'POST' ? body : [request.query, body].filter(Boolean).join('&');
  if (!isStorable(decode(text))) throw refuse({ message: unstorable('A text') });
  const call = { handler, id, form: parseForm(text) };
  if (method === 'GET') {
    const outcome = await runtime.database.change((transaction) =>
      answerRequest(new SandboxStore(transaction, runtime, null), handler, call),
    );
    return json(outcome, requestId);
  }
  const key = request.headers['idempotency-key'];
  if (key !== undefined && (key.length > 255 || key === ''))
    throw refuse({ message: 'Idempotency keys have 1 to 255 characters.' });
  const cause = { id: requestId, idempotency_key: key ?? null };
  return withSandboxStore(runtime, cause, async (store) => {
    const once = key === undefined ? undefined : { key, fingerprint: fingerprintOf(method, path, text) };
    const known = once && (await storedAnswer(store, once));
    if (known)
      return { ...json(known, requestId), headers: { ...headersOf(requestId), 'idempotent-replayed': 'true' } };
    const outcome = await answerRequest(store, call.handler, call);
    if (once) await storeAnswer(store, once, outcome);
    return json(outcome, requestId);
  });
}

/** Answers like a node of a chain, without authentication. @throws Refusal for an unknown chain */
async function answerNode(
  runtime: AccountsRuntime,
  { method, path, body }: SandboxRequest,
  requestId: string,
): Promise<SandboxResponse> {
  const name = path.replace('/chains/', 'sandbox-');
  const { deposits } = runtime.services;
  if (method !== 'POST' || !isSandboxChain(name) || !deposits.names.includes(name)) throw unknownRoute(method, path);
  return json(new SandboxAnswer(200, await answerRpc(runtime, name, body)), requestId);
}

async function authenticate(runtime: AccountsRuntime, { headers, method, path }: SandboxRequest): Promise<void> {
  if (runtime.services.config.payments.processor !== 'sandbox') throw unknownRoute(method, path);
  const key = bearerOf(headers.authorization);
  const { secretKey } = await sandboxSecrets(runtime);
  if (key === undefined || !matchesSecret(key, [secretKey])) throw unauthorized(key);
}

/** The key from `Bearer <key>`, or from `Basic` with the key as the user name, which the processor also accepts. */
function bearerOf(authorization: string | undefined): string | undefined {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S{1,1000})$/i.exec(authorization ?? '') ?? [];
  if (value === '') return undefined;
  return scheme.toLowerCase() === 'bearer' ? value : Buffer.from(value, 'base64').toString().split(':')[0];
}

function decode(text: string): string {
  return new URLSearchParams(text).toString() === '' ? '' : [...new URLSearchParams(text)].flat().join('');
}

interface IdempotentRequest {
  readonly key: string;
  readonly fingerprint: string;
}

function fingerprintOf(method: string, path: string, text: string): string {
  return createHash('sha256').update(`${method} ${path}\n${text}`).digest('hex');
}

const REPEATED = query('sandbox-request-known', (db: Tables, value: { key: string }) =>
  db.selectFrom('sandboxRequest').select(['fingerprint', 'status', 'body']).where('key', '=', value.key),
);

/** Returns the stored answer of an idempotency key. @throws Refusal if the key was used for another request */
async function storedAnswer(
  store: SandboxStore,
  { key, fingerprint }: IdempotentRequest,
): Promise<SandboxAnswer | undefined> {
  const [row] = await store.transaction.run(REPEATED, { key });
  if (!row) return undefined;
  if (row.fingerprint === fingerprint) return new SandboxAnswer(row.status, JSON.parse(row.body) as object);
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
  throw new Refusal(400, { type: 'idempotency_error', message });
}

const KEEP = query(
  'sandbox-request-keep',
  (db: Tables, { key, fingerprint, status, body, createdAt }: SandboxRequestRow) =>
    db.insertInto('sandboxRequest').values({ key, fingerprint, status, body, createdAt }),
);

async function storeAnswer(
  store: SandboxStore,
  once: IdempotentRequest,
  { status, body }: SandboxAnswer,
): Promise<void> {
  await store.transaction.run(KEEP, { ...once, status, body: JSON.stringify(body), createdAt: store.runtime.now() });
}

function headersOf(requestId: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'request-id': requestId,
    'stripe-version': API_VERSION,
    'cache-control': 'no-cache, no-store',
  };
}

function json({ status, body }: SandboxAnswer, requestId: string): SandboxResponse {
  return { status, headers: headersOf(requestId), body: JSON.stringify(body, null, 2) };
}

/** A `fetch` for the processor's client that sends every request to the sandbox in this process. */
export function sandboxFetch(runtime: AccountsRuntime): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const answer = await handleSandboxRequest(runtime, {
      method: request.method,
      path: pathname,
      query: search.slice(1),
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    });
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  };
}
