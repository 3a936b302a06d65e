import { beforeAll, describe, expect, it } from '@jest/globals';
import { useFolders } from '../../kit/rest/folder-journey.js';
import {
  described,
  DOCUMENT,
  faultsOf,
  faultsOfAnswer,
  operationAt,
  OPERATIONS,
  recorded,
  type Answered,
} from '../../kit/rest/openapi.js';
import { call, platform, type Json } from '../../kit/platform.js';
import { useAccounts, useInfrastructure, useNetwork } from '../../kit/rest/rest-journey.js';
import { OPEN, PROTECTED, PUBLIC } from '../../kit/rest/rest-routes.js';

const journeys = { useAccounts, useInfrastructure, useNetwork, useFolders };
const failed: string[] = [];
let answers: Answered[];
beforeAll(async () => {
  answers = await recorded(platform().url, async () => {
    for (const [name, journey] of Object.entries(journeys))
      await journey().catch((error: unknown) => failed.push(`${name}: ${String(error)}`));
    // Who is not signed in is refused by most, an empty body or a compressed one by the rest.
    for (const target of [...PROTECTED, ...OPEN, ...PUBLIC]) {
      await call(target, target.startsWith('GET') ? {} : { rawBody: '{}' });
      await call(target, { headers: { 'content-encoding': 'gzip' } });
    }
  });
}, 120_000);

const faultsIn = (operation: string, isRefusal: boolean) => {
  const own = answers.filter((answer) => answer.operation === operation && answer.status >= 400 === isRefusal);
  return { isAnswered: own.length > 0, faults: [...new Set(own.flatMap(faultsOfAnswer))] };
};

it('every journey comes to its end', () => {
  expect(failed).toEqual([]);
});

describe.each(OPERATIONS)('%s', (operation) => {
  it('answers as the document says', () => {
    expect(faultsIn(operation, false)).toEqual({ isAnswered: true, faults: [] });
  });

  it('refuses as the document says', () => {
    expect(faultsIn(operation, true)).toEqual({ isAnswered: true, faults: [] });
  });

  it('shows examples that its schemas admit', () => {
    const { parameters = [], requestBody, responses } = described(operation);
    const bodies = [requestBody, ...Object.values<Json>(responses)].flatMap((body) =>
      Object.entries<Json>(body?.content ?? {}),
    );
    const shown = [...parameters, ...bodies.map(([, media]) => media)];
    const faults = shown.flatMap(({ schema, example }: Json) =>
      example === undefined ? ['no example'] : faultsOf(schema, example),
    );
    expect(faults).toEqual([]);
  });

  it('tells of a refusal by a status of its own', () => {
    expect(Object.keys(described(operation).responses)).toEqual(expect.arrayContaining([expect.stringMatching(/^4/)]));
  });

  it('says nothing twice', () => {
    const paragraphs = (described(operation).description as string).split('\n\n');
    expect(new Set(paragraphs).size).toBe(paragraphs.length);
  });
});

describe('the OpenAPI document', () => {
  it('has the version v1 and an SPDX licence', () => {
    expect(DOCUMENT.info).toMatchObject({ version: 'v1', license: { identifier: 'Apache-2.0' } });
  });

  it('describes each of its tags', () => {
    expect(DOCUMENT.tags.filter(({ description }: Json) => !/\S/.test(description ?? ''))).toEqual([]);
  });

  it('has no component that nothing refers to', () => {
    const text = JSON.stringify(DOCUMENT);
    const names = Object.keys(DOCUMENT.components.schemas as object);
    expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
  });
});

/** Statuses beside success that each route must document. */
const DOCUMENTED = {
  'POST /api/auth/exchange/': [400],
  'POST /api/auth/mnemonic/': [400],
  'GET /api/auth/token/': [401],
  'POST /api/auth/verify-token/': [400, 404],
  'POST /api/auth/verify/': [400, 401],
  'GET /api/billing/credits/balance/': [401, 404],
  'GET /api/billing/latest-tao-price/': [404],
  'GET /api/billing/payproc/active-subscription/': [503],
  'POST /api/billing/payproc/create-checkout-session/': [400, 429, 503],
  'POST /api/billing/payproc/create-payment/': [400, 503],
  'POST /api/billing/payproc/create-subscription/': [400, 429, 503],
  'POST /api/billing/payproc/customer-portal/': [400, 503],
  'GET /api/billing/payproc/subscription-plans/': [503],
  'POST /api/billing/transactions/': [400, 403],
  'GET /api/billing/transactions/1/': [404],
  'GET /api/infrastructure/certificates/': [404],
  'POST /api/infrastructure/certificates/request/': [402, 503],
  'POST /api/infrastructure/certificates/renew/': [404, 503],
  'POST /api/infrastructure/vm/spawn/': [400, 402, 403],
  'GET /api/network/me/': [403],
  'POST /api/network/policies/': [400],
  'PATCH /api/network/policies/1/': [409],
  'DELETE /api/network/policies/1/': [409],
  'POST /register_folder': [409, 500],
  'DELETE /unregister_folder': [404, 500],
  'POST /upload/session': [400, 500],
  'PUT /upload/session/1/chunk/0': [400, 404, 500],
  'GET /upload/session/1/status': [403, 404, 500],
  'POST /upload/session/1/finalize': [400, 403, 404, 409, 500],
  'GET /search_files/x': [400, 401, 403, 500],
};

describe('the statuses that the documents name', () => {
  it.each(Object.entries(DOCUMENTED))('are described of %s', (target, statuses) => {
    const [method = '', path = ''] = target.split(' ');
    const { responses } = described(operationAt(method, path) ?? '');
    expect(Object.keys(responses as object)).toEqual(expect.arrayContaining(statuses.map(String)));
  });
});
