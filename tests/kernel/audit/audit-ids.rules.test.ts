import { describe, expect, it } from '@jest/globals';
import { argumentIdsIn, isIdName, resultIdsIn } from '../../../kernel/audit/audit-ids.js';
import { lowestIdAt, timeOrderedId } from '../../../kernel/audit/time-ordered-id.js';
import { SUBGRAPHS } from '../../../gateway/composition/supergraph.js';
import { subgraphSchema } from '../../../kernel/subgraph/subgraph.js';

describe('the ids of an entry', () => {
  it('are in these arguments of mutations, of which none is a secret, a text or a file name', () => {
    const schemas = SUBGRAPHS.map((manifest) => subgraphSchema(manifest));
    const mutations = schemas.flatMap((schema) => Object.values(schema.getMutationType()?.getFields() ?? {}));
    const names = mutations.flatMap(({ args }) => args.map(({ name }) => name)).filter(isIdName);
    expect([...new Set(names)].toSorted()).toEqual([
      'accountSs58',
      'applicationId',
      'certificateId',
      'customerId',
      'destGroupId',
      'fileId',
      'fileIds',
      'flavorId',
      'folderHash',
      'folderId',
      'groupId',
      'groups',
      'id',
      'ids',
      'imageId',
      'networkId',
      'ownerAddress',
      'parentId',
      'peer',
      'peerId',
      'priceId',
      'reference',
      'sessionId',
      'sourceGroupId',
      'substrateAddress',
      'tenantId',
      'transactionId',
      'userId',
      'uuid',
    ]);
    const known = new Set(mutations.map(({ name }) => name));
    expect(SUBGRAPHS.flatMap(({ unaudited }) => unaudited).filter((name) => !known.has(name))).toEqual([]);
  });

  it.each([
    [{ id: 7, label: 'web' }, ['id=7']],
    [{ id: 7, peer: 8, group: { label: 'web' } }, ['id=7', 'peer=8']],
    [{ groupIds: [1, 2], name: 'x' }, ['groupIds=1', 'groupIds=2']],
    [
      [{ id: 1 }, { id: 2 }],
      ['id=1', 'id=2'],
    ],
    [{ id: 'two words' }, []],
    [{ id: '' }, []],
    [{ id: 'x'.repeat(129) }, []],
    [{ id: null, uuid: undefined, peerId: 'a b' }, []],
    [{ isNew: true, user: { id: 7, email: 'a@b' }, ids: [{ id: 1 }] }, ['user.id=7']],
    [{ token: 'secret', secret: 'secret', valid: 'true', paid: 1 }, []],
    [undefined, []],
    [null, []],
    ['text', []],
    [true, []],
  ])('in %j are %j', (value, expected) => {
    expect(resultIdsIn(value).map(({ name, value: id }) => `${name}=${id}`)).toEqual(expected);
  });

  it('in arguments are not those of nested input, which may hold texts', () => {
    expect(argumentIdsIn({ document: { groups: ['a-label'], id: 1 }, peerId: 2 })).toEqual([
      { name: 'peerId', value: '2' },
    ]);
  });

  it('are at most a hundred', () => {
    expect(argumentIdsIn({ ids: Array.from({ length: 1_000 }, (_, index) => index) })).toHaveLength(100);
    expect(resultIdsIn(Array.from({ length: 1_000 }, (_, id) => ({ id })))).toHaveLength(100);
  });
});

describe('the id of an entry', () => {
  it('is in the order of time, also within a millisecond', () => {
    const times = Array.from({ length: 300 }, (_, index) => new Date(1_700_000_000_000 + Math.floor(index / 10)));
    const ids = times.map(timeOrderedId);
    expect(ids.toSorted()).toEqual(ids);
    expect(ids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('is above the lowest of its time, and below that of the next millisecond', () => {
    const time = new Date(1_700_000_000_000);
    expect(timeOrderedId(time) > lowestIdAt(time)).toBe(true);
    expect(timeOrderedId(time) < lowestIdAt(new Date(time.getTime() + 1))).toBe(true);
    expect(lowestIdAt(new Date(-1))).toBe(lowestIdAt(new Date(0)));
  });
});
