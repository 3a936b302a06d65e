import { describe, expect, it } from '@jest/globals';
import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import { call, codeOf, graphql } from '../../kit/platform.js';
import { postForm, uploadForm } from '../../kit/files/sync.js';
import { TestSocket } from '../../kit/socket.js';
import { signIn } from '../../kit/accounts/wallet.js';

const times = (count: number, part: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join(' ');
const nested = (depth: number) => `${'{ a '.repeat(depth)}${'}'.repeat(depth)}`;

const EVERYTHING = {
  schemaDescription: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  inputValueDeprecation: true,
  oneOf: true,
};

describe('an operation that asks for too much', () => {
  it.each([
    ['depth', nested(13), /depth/],
    ['aliases', `{ me { ${times(31, (i) => `a${i}: id`)} } }`, /alias/],
    ['root fields', `{ ${times(21, (i) => `a${i}: latestTokenPrice { priceUsd }`)} }`, /root ?field/i],
    ['directives', `{ me { id ${times(21, () => '@include(if: true)')} } }`, /directive/],
    ['cost', `{ ${times(11, (i) => `a${i}: vmFlavors { ${times(46, () => 'id')} }`)} }`, /cost/],
    ['selections with the same response name', `{ ${times(280, () => 'me { id }')} }`, /share the same response name/],
    [
      'the same, below one field',
      `{ me { ${times(280, () => 'tenant { counts { peers } }')} } }`,
      /share the same response name/,
    ],
    ['cost of long pages', `{ notifications(first: 200) { results { ${times(125, () => 'id')} } } }`, /cost/],
    [
      'cost by weights',
      `{ ${times(20, (i) => `t${i}: topology { version nodes { ${times(15, () => 'id')} } }`)} }`,
      /cost/,
    ],
    [
      'cost by fragments',
      `{ vmFlavors { ${times(60, () => '...F')} } } fragment F on VmFlavor { ${times(10, () => 'id')} }`,
      /cost/,
    ],
    [
      'what is asked of the schema, by fragments that multiply each other',
      `{ __schema { types { ...A } } } fragment A on __Type { ${times(5, (i) => `a${i}: fields { type { ...B } }`)} }
       fragment B on __Type { ${times(5, (i) => `b${i}: fields { args { ${times(5, (j) => `c${j}: name`)} } }`)} }`,
      /introspection/,
    ],
    [
      'what is asked of the schema, again and again',
      `{ __schema { ${times(22, (i) => `a${i}: types { description fields { description type { name description } } }`)} } }`,
      /introspection/,
    ],
    [
      'what is asked of the longest types of the schema',
      `{ ${times(5, (i) => `a${i}: __schema { mutationType { fields { type { fields { type { fields { description } } } } } } }`)} }`,
      /introspection/,
    ],
    ['aliases of what is asked of the schema', `{ ${times(31, (i) => `a${i}: __typename`)} }`, /alias/],
    ['the length of an alias', `{ me { ${'a'.repeat(129)}: id } }`, /alias has 129/],
    ['the length of a label', `{ me { id ... @defer(label: "${'a'.repeat(129)}") { username } } }`, /label has 129/],
    ['cost of peers of groups of peers', '{ peers { memberOf { peers { id } } } }', /cost/],
    [
      'cost of long histories',
      `{ ${times(3, (i) => `a${i}: networkChanges(limit: 100) { items { kind before after } }`)} }`,
      /cost/,
    ],
    [
      'cost of lists that lead back to their user',
      '{ me { groups { owner { peers { owner { groups { id } } } } } } }',
      /cost/,
    ],
    ['tokens', `{ me { ${times(2_000, () => 'id')} } }`, /token/],
  ])('is refused with 400 and a message that names it: %s', async (_, query, named) => {
    const { status, body } = await call('POST /graphql', { body: { query } });
    const messages = body.errors.map(({ message }: { message: string }) => message).join('\n');
    expect({ status, messages }).toEqual({ status: 400, messages: expect.stringMatching(named) });
  });

  it.each([
    ['aliases', `{ me { ${times(30, (i) => `a${i}: id`)} } }`],
    ['the length of an alias', `{ me { ${'a'.repeat(128)}: id } }`],
    ['root fields', `{ ${times(20, (i) => `a${i}: vmImages { id }`)} }`],
    ['cost', `{ ${times(5, (i) => `a${i}: vmFlavors { ${times(99, () => 'id')} }`)} }`],
    ['cost of long pages', `{ notifications(first: 200) { results { ${times(124, () => 'id')} } } }`],
    ['cost of lists that lead back once', '{ me { groups { owner { peers { id label } } } } }'],
  ])('is served up to the limit: %s', async (_, query) => {
    const { token } = await signIn();
    const { errors } = await graphql(query, { token });
    expect(errors).toBeUndefined();
  });

  it('is refused for the values of its variables, too', async () => {
    const search = `searchFiles(ownerAddress: "5", q: "a", limit: $n) { files { fileId } }`;
    const query = `query ($n: Int) { a: ${search} b: ${search} c: ${search} }`;
    const messages = [];
    for (const n of [null, 2_000, 10_000]) {
      const { errors } = await graphql(query, { variables: { n } });
      messages.push(errors?.[0].message);
    }
    expect(messages).toEqual([
      expect.not.stringMatching(/limit/),
      expect.not.stringMatching(/limit/),
      expect.stringMatching(/its cost is \d+, the maximum is 5000/),
    ]);
  });

  it('is refused where fragments multiply each other', async () => {
    const fragments = times(12, (i) => `fragment F${i} on VmFlavor { ...F${i + 1} ...F${i + 1} ...F${i + 1} }`);
    const { status } = await call('POST /graphql', {
      body: { query: `{ vmFlavors { ...F0 } } ${fragments} fragment F12 on VmFlavor { id }` },
    });
    expect(status).toBe(400);
  });

  it('is refused where fragments spread each other in a circle', async () => {
    const query = '{ me { ...A } } fragment A on User { ...B } fragment B on User { ...A }';
    const { status, body } = await call('POST /graphql', { body: { query } });
    expect({ status, code: body.errors[0].extensions.code }).toEqual({
      status: 400,
      code: 'GRAPHQL_VALIDATION_FAILED',
    });
  });
});

describe('variables with many wrong values', () => {
  it('are refused with few errors', async () => {
    const query =
      'mutation ($e: [RelativePathInput!]!) { registerRelativePaths(ownerAddress: "x", folderHash: "y", entries: $e) { updated } }';
    const { status, body } = await call('POST /graphql', {
      body: { query, variables: { e: [...Array(33_000)].map(() => ({})) } },
    });
    expect({ status, errors: body.errors.length }).toEqual({ status: 400, errors: 11 });
  });
});

describe('introspection', () => {
  it('is served as explorers and generators ask, type references nine deep', async () => {
    const reference = (depth: number): string =>
      depth === 0 ? 'kind name' : `kind name ofType { ${reference(depth - 1)} }`;
    const query = getIntrospectionQuery(EVERYTHING).replace(
      /fragment TypeRef on __Type \{[^]*$/,
      `fragment TypeRef on __Type { ${reference(9)} }`,
    );
    expect((await graphql(query)).errors).toBeUndefined();
  });

  it.each([
    ['as clients ask by default', {}],
    ['with everything that can be asked', EVERYTHING],
  ])('is served %s', async (_, options) => {
    const { data, errors } = await graphql(getIntrospectionQuery(options));
    expect(errors).toBeUndefined();
    expect(buildClientSchema(data).getQueryType()?.name).toBe('Query');
  });
});

describe('JSON that is nested deeper than anyone needs', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const query = 'query ($t: String!) { verifyToken(token: $t) { valid } }';

  it.each([65, 9_000, 40_000])('is refused as variables with 400: %d levels', async (levels) => {
    const rawBody = `{"query":${JSON.stringify(query)},"variables":{"t":${deep(levels)}}}`;
    const { status, body } = await call('POST /graphql', { rawBody });
    expect({ status, code: codeOf(body) }).toEqual({ status: 400, code: 'BAD_REQUEST' });
  });

  it('is refused as variables of a GET', async () => {
    const asked = new URLSearchParams({ query, variables: `{"t":${deep(500)}}` });
    expect((await call(`GET /graphql?${asked.toString()}`)).status).toBe(400);
  });

  it('is refused as the body of a REST request', async () => {
    for (const others of ['', '"exact":9007199254740993,']) {
      const rawBody = `{${others}"token":${deep(9_000)}}`;
      const { status, body } = await call('POST /api/auth/verify-token/', { rawBody });
      const error = 'Lists and objects must be nested at most 64 deep.';
      expect({ status, body }).toEqual({ status: 400, body: { error } });
    }
  });

  it('is refused as a part of a form', async () => {
    const form = uploadForm(`{"size_bytes":9007199254740993,"signature":${deep(9_000)}}`, Buffer.from('x'));
    const { status, bytes } = await postForm(form, (await signIn()).token);
    expect({ status, text: bytes.toString() }).toEqual({ status: 400, text: expect.stringContaining('64 deep') });
  });

  it('is refused on a socket, which stays', async () => {
    const socket = await TestSocket.open((await signIn()).token);
    const payload = `{"query":${JSON.stringify(query)},"variables":{"t":${deep(9_000)}}}`;
    socket.send(`{"id":"1","type":"subscribe","payload":${payload}}`);
    expect(codeOf(await socket.result('1', 1))).toBe('BAD_REQUEST');
    expect(socket.closed).toBeUndefined();
    socket.close();
  });
});
