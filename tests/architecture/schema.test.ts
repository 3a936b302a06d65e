import { describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  isEnumType,
  isInterfaceType,
  isObjectType,
  parse,
  validate,
  type GraphQLField,
  type GraphQLNamedType,
} from 'graphql';
import { Engine } from '../../gateway/engine/engine.js';
import { readSupergraph } from '../../gateway/engine/supergraph/read-supergraph.js';
import { FOLDER_ROUTES, PLATFORM_ROUTES, SITE_ROUTES } from '../../gateway/rest/contract.js';
import { filesIn } from './source.js';

const files = new Map(filesIn(['schema'], '').map(({ path, text }) => [path, text]));

describe('the composed API', () => {
  const { schema } = new Engine(readSupergraph(files.get('schema/supergraph.graphql') ?? ''), new Map());

  it('describes every type, field and argument', () => {
    const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__') && !ROOTS.has(name));
    expect([...types, ...[...ROOTS].flatMap((name) => schema.getType(name) ?? [])].flatMap(undescribed)).toEqual([]);
  });

  it('shows nothing that only the platform itself may ask', () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const names = roots.flatMap((root) => Object.keys(root?.getFields() ?? {}));
    const ours =
      /^_|tokenHolder|creditBalanceOfUser|tokenChanged|Hold$|^spendCredits|^recordStorageUsage|^tellUser|^tellAdministrators/;
    expect(names.filter((name) => ours.test(name))).toEqual([]);
  });
});

const ROOTS = new Set(['Query', 'Mutation', 'Subscription']);
const BUILT_IN = new Set(['String', 'Int', 'Float', 'Boolean', 'ID']);

function undescribed(type: GraphQLNamedType): string[] {
  const own = type.description || ROOTS.has(type.name) || BUILT_IN.has(type.name) ? [] : [type.name];
  if (isEnumType(type)) return own;
  if (!isObjectType(type) && !isInterfaceType(type)) return own;
  return [...own, ...Object.values(type.getFields()).flatMap((field) => undescribedIn(type, field))];
}

function undescribedIn(type: GraphQLNamedType, field: GraphQLField<unknown, unknown>): string[] {
  const name = `${type.name}.${field.name}`;
  const args = field.args.filter(({ description }) => !description).map((arg) => `${name}(${arg.name})`);
  return field.description ? args : [name, ...args];
}

describe('the dashboard', () => {
  const { schema } = new Engine(readSupergraph(files.get('schema/supergraph.graphql') ?? ''), new Map());
  const texts = [...filesIn(['dashboard'], '.ts'), ...filesIn(['dashboard'], '.tsx')].flatMap(({ text }) =>
    [...text.matchAll(/\bgraphql\(\s*(['`])(.*?)\1/gs)].map(([, , found = '']) => found),
  );
  const fragments = texts.filter((text) => /^\s*fragment\b/.test(text));
  const usedIn = (text: string) =>
    fragments.filter((fragment) => text.includes(`...${/fragment (\w+)/.exec(fragment)?.[1] ?? ''}`));
  const documents = texts.filter((text) => !fragments.includes(text)).map((text) => [text, ...usedIn(text)].join('\n'));

  it('sends only operations that the schema has', () => {
    const faults = documents.flatMap((document) => validate(schema, parse(document)).map(({ message }) => message));
    expect([documents.length > 10, faults]).toEqual([true, []]);
  });

  it('shows the recorded storage, as the summary of the profile and by period', () => {
    const fields = ['storageUsage', 'usageRecords'];
    expect(fields.filter((field) => documents.some((document) => document.includes(field)))).toEqual(fields);
  });
});

describe('the OpenAPI document', () => {
  it('has every route of the table and no other', () => {
    const { paths } = JSON.parse(files.get('schema/openapi.json') ?? '{}') as { paths: Record<string, object> };
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = [
      ...SITE_ROUTES.map(({ method, path }) => `${method} ${path}`),
      ...PLATFORM_ROUTES.map(({ method, path }) => `${method} /api${path}`),
      ...FOLDER_ROUTES.map(({ method, path }) => `${method} ${path}`),
    ];
    expect(documented.toSorted()).toEqual(served.toSorted());
  });
});

describe('the subgraph schemas', () => {
  it('can be read by themselves', () => {
    const stub = 'directive @link(url: String!, import: [String]) repeatable on SCHEMA\n';
    expect(() =>
      buildSchema(`${stub}${files.get('schema/network.graphql') ?? ''}`, { assumeValidSDL: true }),
    ).not.toThrow();
  });
});
