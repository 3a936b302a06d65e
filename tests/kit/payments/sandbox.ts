import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { PAYMENTS } from '../arrangements.js';
import { platform, type Json } from '../platform.js';

/** Creates the client library of the processor for the sandbox of the platform under test. */
export function stripeClient(key: string = PAYMENTS.PAYPROC_SECRET_KEY, url = platform().url): Stripe {
  const reach: typeof fetch = (target, init) => {
    const { pathname, search } = new URL(target instanceof Request ? target.url : target);
    return fetch(`${url}/sandbox${pathname}${search}`, init);
  };
  return new Stripe(key, { httpClient: Stripe.createFetchHttpClient(reach), maxNetworkRetries: 0 });
}

/** Returns the id in a field of the processor, expanded or not. */
export function idOf(field: string | { readonly id: string } | null | undefined): string {
  return (typeof field === 'object' ? field?.id : field) ?? '';
}

/** Calls a test helper of the sandbox. @param path below /v1/test_helpers/sandbox @throws when it fails */
export async function askSandbox(
  path: string,
  fields: Readonly<Record<string, string | number | boolean>> = {},
  method: 'GET' | 'POST' = 'POST',
): Promise<Json> {
  const form = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const target = `${platform().url}/sandbox/v1/test_helpers/sandbox/${path}`;
  const response = await fetch(method === 'GET' ? `${target}?${form.toString()}` : target, {
    method,
    headers: { authorization: `Bearer ${PAYMENTS.PAYPROC_SECRET_KEY}` },
    ...(method === 'POST' && { body: form }),
  });
  const body = (await response.json()) as Json;
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

/** Presses a button of a hosted page. @returns the redirect URL */
export async function press(
  pageUrl: string,
  fields: Readonly<Record<string, string>>,
  url = platform().url,
): Promise<string> {
  const { pathname } = new URL(pageUrl);
  const body = new URLSearchParams(fields);
  const response = await fetch(url + pathname, { method: 'POST', body, redirect: 'manual' });
  if (response.status !== 303) throw new Error(`${response.status}: ${await response.text()}`);
  return response.headers.get('location') ?? '';
}

export interface Webhook {
  readonly body: string;
  readonly signature: string;
  readonly event: Json;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Webhook[];
  /** Waits for this number of webhooks. Returns them in order. */
  receive(count: number): Promise<readonly Webhook[]>;
  close(): void;
}

/** Receives webhooks. Responds with 200 by default. */
export async function openReceiver(answer: (attempt: number) => number = () => 200): Promise<Receiver> {
  const received: Webhook[] = [];
  let attempts = 0;
  let heard = () => {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      attempts += 1;
      const status = answer(attempts);
      const body = Buffer.concat(chunks).toString();
      const signature = String(request.headers['stripe-signature']);
      if (status === 200) received.push({ body, signature, event: JSON.parse(body) });
      response.writeHead(status).end();
      heard();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    async receive(count) {
      while (received.length < count) await new Promise<void>((resolve) => (heard = resolve));
      return received;
    },
    close: () => void server.close(),
  };
}
