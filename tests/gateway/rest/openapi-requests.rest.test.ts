import { beforeAll, describe, expect, it } from '@jest/globals';
import { hexToBytes } from '@noble/hashes/utils.js';
import { FORM_TYPE, formOf, send } from '../../kit/files/bytes.js';
import { described, OPERATIONS } from '../../kit/rest/openapi.js';
import type { Json } from '../../kit/platform.js';
import { OWNER } from '../../kit/rest/rest-routes.js';
import { grant, newWallet, serviceToken, setRoles, signIn } from '../../kit/accounts/wallet.js';

/** The account of the examples. Source: vectors.json, the first account; m/44'/60'/0'/0/0 */
const EXAMPLE_KEY = hexToBytes('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const EXAMPLE_ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** A 400 about a state that no example can have: a code is used once, a webhook is signed by its sender, ids are the caller's own. */
const FOREIGN_STATE =
  /^\{"error":"(?:The code is invalid, expired or used|The signature is invalid or too old|`\w+` is not one of your|`\w+` contains an unknown group)/;

/** Only service tokens with this role are let in. */
const ROLES: Readonly<Record<string, string>> = {
  'POST /api/billing/usage/record/': 'VALIDATOR',
  'GET /api/billing/subscriptions/': 'MARKETING',
  'GET /api/billing/subscriptions/{id}/': 'MARKETING',
};

let userToken: string;
const serviceTokens = new Map<string, string>();
beforeAll(async () => {
  const wallet = { ...newWallet(OWNER), secretKey: EXAMPLE_KEY, address: EXAMPLE_ADDRESS };
  const user = await signIn(wallet);
  await setRoles(OWNER, ['BETA']);
  await grant(user, '1000');
  await send('POST /api/network/provision/', undefined, user);
  for (const role of new Set(Object.values(ROLES))) serviceTokens.set(role, await serviceToken(role));
  userToken = user.token;
}, 60_000);

/** Sends the request that the document shows. */
function sendExample(operation: string) {
  const { parameters = [], requestBody } = described(operation);
  const valuesIn = (place: string): Record<string, string> =>
    Object.fromEntries(
      parameters.filter((one: Json) => one.in === place).map(({ name, example }: Json) => [name, String(example)]),
    );
  const inPath = valuesIn('path');
  const query = new URLSearchParams(valuesIn('query')).toString();
  const path = operation.replaceAll(/\{(\w+)\}/g, (_, name: string) => inPath[name] ?? '');
  const { authorization: _, ...headers } = valuesIn('header');
  const body = bodyOf(requestBody?.content ?? {});
  const token = serviceTokens.get(ROLES[operation] ?? '') ?? userToken;
  return send(`${path}?${query}`, body?.bytes, { token, headers: { ...headers, ...body?.headers } });
}

function bodyOf(content: Json) {
  const [type] = Object.keys(content);
  if (type === undefined) return undefined;
  const bytes = bytesOf(type, content[type].example);
  const typed = type === 'multipart/form-data' ? FORM_TYPE : type;
  return { bytes, headers: { 'content-type': typed, 'content-length': bytes.length } };
}

function bytesOf(type: string, example: Json): Buffer {
  if (type === 'application/json') return Buffer.from(JSON.stringify(example));
  if (type !== 'multipart/form-data') return Buffer.from(example as string);
  const parts = Object.entries<Json>(example).map(([name, value]) =>
    typeof value === 'string'
      ? { name, type: 'application/octet-stream', bytes: value }
      : { name, bytes: JSON.stringify(value) },
  );
  return formOf(parts);
}

describe.each(OPERATIONS)('%s', (operation) => {
  it('accepts the request that the document shows', async () => {
    const { status, bytes } = await sendExample(operation);
    const text = bytes.toString();
    expect(status === 400 && !FOREIGN_STATE.test(text) ? text : 'accepted').toBe('accepted');
  }, 30_000);
});
