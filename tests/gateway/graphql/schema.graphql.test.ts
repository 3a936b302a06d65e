import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildClientSchema, getIntrospectionQuery, isInterfaceType, isObjectType, type GraphQLSchema } from 'graphql';
import { call, graphql } from '../../kit/platform.js';

let schema: GraphQLSchema;
beforeAll(async () => {
  const { data } = await graphql(getIntrospectionQuery());
  schema = buildClientSchema(data);
});

describe('the public schema', () => {
  it.each(['_Any', '_Entity', '_Service', 'join__Graph', 'link__Import', 'federation__FieldSet'])(
    'has no type %s',
    (name) => {
      expect(schema.getType(name)).toBeUndefined();
    },
  );

  it.each(['_entities', '_service', 'tokenHolder', 'creditBalanceOfUser'])('has no query %s', (name) => {
    expect(schema.getQueryType()?.getFields()).not.toHaveProperty(name);
  });

  it('has no subscription to the tokens of all', () => {
    expect(schema.getSubscriptionType()?.getFields()).not.toHaveProperty('tokenChanged');
  });
});

describe('what outside checks rely on', () => {
  it.each(['topologyChanged', 'creditBalanceChanged'])('has the live view %s', (name) => {
    expect(schema.getSubscriptionType()?.getFields()).toHaveProperty(name);
  });

  it.each(['adminGrantCredits', 'adminSetRoles', 'adminCreateServiceToken', 'adminRecordTokenPrice'])(
    'has the mutation %s that outside checks rely on',
    (name) => {
      expect(schema.getMutationType()?.getFields()).toHaveProperty(name);
    },
  );

  it('describes every field and argument', () => {
    const bare = Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) || isInterfaceType(type))
      .filter(({ name }) => !name.startsWith('__'))
      .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
      .filter(({ field }) => !field.description || field.args.some(({ description }) => !description))
      .map(({ type, field }) => `${type.name}.${field.name}`);
    expect(bare).toEqual([]);
  });

  it.each([
    '{ _service { sdl } }',
    '{ _entities(representations: []) { __typename } }',
    '{ tokenHolder(hash: "x") { userId } }',
    '{ creditBalanceOfUser(userId: 1) { balance } }',
  ])('does not serve %s', async (query) => {
    const { status, body } = await call('POST /graphql', { body: { query } });
    expect({ status, code: body.errors[0].extensions.code }).toEqual({
      status: 400,
      code: 'GRAPHQL_VALIDATION_FAILED',
    });
  });
});
