import { call, platform, type Reply } from '../platform.js';

export const CONSOLE = 'https://console.example/auth/callback?source=desktop&state=6f1c';

/** The `next` parameter of clients with a callback. */
export const handover = (callback: string): string => `/get-token/?callback_url=${encodeURIComponent(callback)}`;

/** The browser's first request. */
export function begin(
  next = handover(CONSOLE),
  { provider = 'test', cookie }: { provider?: string; cookie?: string } = {},
): Promise<Reply> {
  return call(`GET /accounts/${provider}/login/?next=${encodeURIComponent(next)}`, {
    ...(cookie !== undefined && { headers: { cookie } }),
  });
}

/** Returns the cookie of a response, as a browser sends it back. */
export function cookieOf({ headers }: Reply): string {
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** Completes the pages of the issuer as `account`. Returns the redirect URL without our origin. */
export async function atIssuer(begun: Reply, answer: Readonly<Record<string, string>>): Promise<string> {
  const jar = new Map<string, string>();
  let address = new URL(begun.headers.get('location') ?? '');
  const issuer = address.origin;
  while (address.origin === issuer) {
    if (address.pathname.startsWith('/interaction/')) address.search = new URLSearchParams(answer).toString();
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the issuer shows a page: ${response.status} ${await response.text()}`);
    address = new URL(location, address);
  }
  return address.pathname + address.search;
}

/** Follows the redirect from the issuer back to the platform. */
export function comeBack(path: string, cookie: string | undefined): Promise<Reply> {
  return call(`GET ${path}`, { ...(cookie !== undefined && { headers: { cookie } }) });
}

/** Runs the whole sign-in of a browser. Returns the callback URL of the client. */
export async function walk(answer: Readonly<Record<string, string>>, next?: string, provider?: string): Promise<URL> {
  const begun = await begin(next, provider === undefined ? {} : { provider });
  const { headers } = await comeBack(await atIssuer(begun, answer), cookieOf(begun));
  return new URL(headers.get('location') ?? 'none:');
}

/** Returns a code for this account of the issuer. */
export async function codeFor(account: string): Promise<string> {
  return (await walk({ account })).searchParams.get('code') ?? '';
}

export const exchange = (body: object, path = '/api/auth/exchange/'): Promise<Reply> =>
  call(`POST ${path}`, { body, url: platform().url });
