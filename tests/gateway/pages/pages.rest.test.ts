import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, type Json } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';
import { fieldsOf } from '../../kit/rest/rest-checks.js';
import { OPEN, PROTECTED, PUBLIC } from '../../kit/rest/rest-routes.js';

/** The documented path of a request of the tests. */
function documented(target: string): [method: string, path: string] {
  const [method = '', path = ''] = target.split(' ');
  const pattern = path
    .replace(/^\/accounts\/test\//, '/accounts/{provider}/')
    .replace(/\/vm\/instances\/\d+\//, '/vm/instances/{instance_id}/')
    .replace(/\/networks\/\d+\/(resources|routers)\//, '/networks/{nid}/$1/')
    .replace(/\/(resources|routers)\/\d+\/$/, '/$1/{rid}/')
    .replace(/\/groups\/\d+\/members\/$/, '/groups/{id}/members/')
    .replace(/\/(?:\d+|[0-9a-f-]{36})\/$/, '/{id}/')
    .replace('/nobody/nothing/', '/{project}/{repo}/')
    .replace('/latest/', '/{reference}/')
    .replace(/^\/list_folders\/.*$/, '/list_folders/{base_address}')
    .replace(/\/5GmS1w\w{42}/, '/{ss58}')
    .replace(/\/37a8eec1ce19687d/, '/{folder_hash}')
    .replace(/\/[0-9a-f]{64}$/, '/{file_id}')
    .replace(/^\/upload\/session\/0{32}/, '/upload/session/{session_id}')
    .replace(/\/chunk\/0$/, '/chunk/{chunk_index}');
  return [method.toLowerCase(), pattern];
}

let spec: Json;
let user: SignedIn;
beforeAll(async () => {
  ({ body: spec } = await call('GET /api/openapi.json'));
  user = await signInWithNetwork();
});

/** The component that a schema refers to, or itself. */
function resolved(schema: Json): Json {
  return schema.$ref === undefined ? schema : spec.components.schemas[schema.$ref.split('/').at(-1)];
}

describe('GET /api/openapi.json', () => {
  it('is OpenAPI 3.1', () => {
    expect(spec.openapi).toMatch(/^3\.1\.\d+$/);
  });

  it.each([...PROTECTED, ...OPEN, ...PUBLIC])('describes %s', (target) => {
    const [method, path] = documented(target);
    expect(spec.paths[path]?.[method]).toMatchObject({
      summary: expect.stringMatching(/\S/),
      responses: expect.any(Object),
    });
  });

  it('describes nothing else', () => {
    const described = Object.entries<Json>(spec.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    const known = [...PROTECTED, ...OPEN, ...PUBLIC].map((target) => documented(target).join(' '));
    expect(described.filter((route) => !known.includes(route))).toEqual([]);
  });

  it.each(OPEN)('says that %s may be asked without a token', (target) => {
    const [method, path] = documented(target);
    expect(spec.paths[path][method].security).toEqual([{}, { token: [] }, { bearer: [] }]);
  });

  it.each(PUBLIC)('says that %s needs no token', (target) => {
    const [method, path] = documented(target);
    expect(spec.paths[path][method].security).toEqual([]);
  });
});

describe('the OpenAPI document', () => {
  it('names every operation differently', () => {
    const ids = Object.values<Json>(spec.paths).flatMap((item) =>
      Object.values<Json>(item).map((of) => of.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('refers to nothing that is not there', () => {
    const names = [...JSON.stringify(spec).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
    expect(names.filter((name) => spec.components.schemas[name] === undefined)).toEqual([]);
  });

  it.each([
    'GET /api/infrastructure/vm/flavors/',
    'GET /api/infrastructure/vm/images/',
    'GET /api/infrastructure/vm/applications/',
    'POST /api/network/provision/',
    'GET /api/network/me/',
    'GET /api/network/groups/',
    'GET /api/network/policies/',
    'GET /api/network/topology/',
  ])('describes the fields that %s answers', async (target) => {
    const [method, path] = documented(target);
    const { status, body } = await call(target, { token: user.token });
    const schema = resolved(spec.paths[path][method].responses[status].content['application/json'].schema);
    const record = Array.isArray(body) ? resolved(schema.items) : schema;
    expect(fieldsOf(record.properties)).toEqual(fieldsOf(Array.isArray(body) ? body[0] : body));
  });
});

describe.each([
  ['the dashboard', 'GET /', 'text/html'],
  ['the billing page', 'GET /billing', 'text/html'],
  ['a page of the dashboard with an address of its own', 'GET /network/history/7', 'text/html'],
  ['the billing page with a slash and a query', 'GET /billing/?checkout=success', 'text/html'],
  ['the reference', 'GET /api/docs/', 'text/html'],
  ['the reference without its slash', 'GET /api/docs', 'text/html'],
  ['the explorer', 'GET /graphql', 'text/html'],
])('%s', (_, target, accept) => {
  it('is a page for browsers', async () => {
    const { status, headers } = await call(target, { headers: { accept } });
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: expect.stringMatching(/^text\/html/),
    });
  });

  it('needs nothing from the internet', async () => {
    const { text } = await call(target, { headers: { accept } });
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it('may load nothing from elsewhere', async () => {
    const { headers } = await call(target, { headers: { accept } });
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'(?!.*https?:)/);
  });

  it('finds the scripts it names', async () => {
    const { text } = await call(target, { headers: { accept } });
    const base = /<base href="([^"]+)"/.exec(text)?.[1] ?? '/';
    const scripts = [...text.matchAll(/<script[^>]* src="([^"]+)"/g)].map(
      ([, src = '']) => new URL(src, `http://x${base}`),
    );
    const replies = await Promise.all(scripts.map(({ pathname }) => call(`GET ${pathname}`)));
    expect(replies.map(({ status }) => status)).toEqual(scripts.map(() => 200));
  });
});

describe('the billing page', () => {
  it.each(['/billing', '/billing/'])('answers HEAD at %s', async (path) => {
    const { status, text } = await call(`HEAD ${path}`);
    expect({ status, text }).toEqual({ status: 200, text: '' });
  });

  it.each(['/', '/billing', '/billing/'])('finds what it names from %s', async (path) => {
    const { text } = await call(`GET ${path}`);
    const named = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(
      ([, name = '']) => new URL(name, `http://x${path}`),
    );
    const replies = await Promise.all(
      named.map(({ pathname }) => call(`GET ${pathname}`, { headers: { accept: 'text/html' } })),
    );
    expect(replies.map(({ status }) => status)).toEqual(named.map(() => 200));
  });
});

describe('what the OpenAPI document says of billing', () => {
  it.each([
    ['get', '/api/auth/token/', 429],
    ['post', '/api/billing/transactions/', 403],
    ['post', '/api/billing/transactions/', 429],
    ['get', '/api/billing/subscriptions/', 403],
    ['get', '/api/billing/subscriptions/{id}/', 403],
  ])('%s %s may be refused with %i', (method, path, status) => {
    expect(Object.keys(spec.paths[path][method].responses)).toContain(String(status));
  });

  it.each(['subscriptions', 'transactions', 'substrate-address'])('%s takes an ordering', (name) => {
    const parameters = spec.paths[`/api/billing/${name}/`].get.parameters.map((parameter: Json) => parameter.name);
    expect(parameters).toEqual(expect.arrayContaining(['search', 'ordering', 'page', 'page_size']));
  });

  it('has balances of accounts with their addresses', () => {
    const { schema } = spec.paths['/api/billing/credits/balance/'].get.responses[200].content['application/json'];
    const list = schema.anyOf.find((shape: Json) => shape.properties.results !== undefined);
    expect(list.properties.results.items.properties.account_ss58.type).toBe('string');
  });

  it.each([
    [() => spec.components.schemas.TransactionRow.properties.credits, /rounded down/i],
    [() => spec.components.schemas.TransactionRow.properties.status, /failed.*completed/is],
    [
      () =>
        spec.paths['/api/billing/usage/record/'].post.responses[201].content['application/json'].schema.properties
          .storage_bytes,
      /2\^53|9007199254740991/,
    ],
  ])('says what is not to be seen from a type: %#', (shapeOf, words) => {
    expect(shapeOf().description).toMatch(words);
  });
});

describe('what the OpenAPI document says of private networks', () => {
  const named = (parameters: Json[], name: string) => parameters.find((parameter) => parameter.name === name);

  it('lets nodes and edges have what belongs to their type and no nulls', () => {
    const { schema } = spec.paths['/api/network/topology/'].get.responses[200].content['application/json'];
    const metas = ['nodes', 'edges'].map((list) => schema.properties[list].items.properties.meta);
    expect(metas.map(({ required }) => required)).toEqual([undefined, ['is_managed']]);
    expect(JSON.stringify(metas)).not.toMatch(/"null"|null/);
  });

  it.each(['topology', 'configuration'])('says that the %s has an ETag, and is not sent to who has it', (name) => {
    const { parameters, responses } = spec.paths[`/api/network/${name}/`].get;
    expect(named(parameters, 'If-None-Match')).toMatchObject({ in: 'header', required: false });
    expect([200, 304].map((status) => Object.keys(responses[status].headers))).toEqual([['ETag'], ['ETag']]);
  });

  it.each([
    ['get', 'configuration'],
    ['post', 'report'],
  ])('says that who asks to %s the %s needs the token of a machine', (method, name) => {
    const { parameters } = spec.paths[`/api/network/${name}/`][method];
    expect(named(parameters, 'Peer-Token')).toMatchObject({ in: 'header', required: true });
  });

  it('says what a report has to name', () => {
    const { required, content } = spec.paths['/api/network/report/'].post.requestBody;
    const { schema } = content['application/json'];
    expect({ required, fields: schema.required }).toEqual({ required: true, fields: ['applied'] });
    expect(Object.keys(schema.properties)).toEqual(['applied', 'peer', 'names']);
    expect(schema.properties.applied.default).toBeUndefined();
  });
});

describe('GET /metrics', () => {
  it('answers in the format of Prometheus', async () => {
    const { status, text } = await call('GET /metrics');
    expect({ status, text }).toEqual({ status: 200, text: expect.stringMatching(/^# HELP \w+ /m) });
  });

  it('labels requests by route, never by what was in the path', async () => {
    await call('GET /list_folders/address-in-a-path');
    const { text } = await call('GET /metrics');
    expect(text).not.toContain('address-in-a-path');
  });
});
