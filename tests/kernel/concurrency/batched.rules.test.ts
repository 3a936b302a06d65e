import { describe, expect, it } from '@jest/globals';
import { batched, inOrder } from '../../../kernel/concurrency/batched.js';

const doubled = () => {
  const loads: number[][] = [];
  const find = batched((_: object, keys: readonly number[]) => {
    loads.push([...keys]);
    return Promise.resolve(keys.map((key) => (key < 0 ? undefined : key * 2)));
  });
  return { loads, find };
};

describe('values of one request', () => {
  it('are loaded in one call, each for its key, also when a key has none or is asked twice, which loads it once', async () => {
    const { loads, find } = doubled();
    const request = {};
    const found = await Promise.all([1, 2, -1, 2].map((key) => find(request, key)));
    expect({ found, loads }).toEqual({ found: [2, 4, undefined, 4], loads: [[1, 2, -1]] });
  });

  it('are loaded in one call when some resolvers begin after promises of others', async () => {
    const { loads, find } = doubled();
    const request = {};
    const later = async (key: number, promises: number) => {
      for (let count = 0; count < promises; count++) await Promise.resolve();
      return find(request, key);
    };
    expect(await Promise.all([0, 1, 2, 3].map((key) => later(key, key * 5)))).toEqual([0, 2, 4, 6]);
    expect(loads).toHaveLength(1);
  });

  it('are loaded once for objects with equal properties', async () => {
    const loads: object[][] = [];
    const find = batched((_: object, keys: readonly { id: number }[]) => {
      loads.push([...keys]);
      return Promise.resolve(keys.map(({ id }) => id * 2));
    });
    const request = {};
    expect(await Promise.all([1, 1, 2].map((id) => find(request, { id })))).toEqual([2, 2, 4]);
    expect(loads).toEqual([[{ id: 1 }, { id: 2 }]]);
  });

  it('are loaded again when they are asked for again', async () => {
    const { loads, find } = doubled();
    const request = {};
    await find(request, 1);
    await find(request, 1);
    expect(loads).toEqual([[1], [1]]);
  });

  it('all fail when the call fails, and the next call is a new one', async () => {
    let isDown = true;
    const find = batched((_: object, keys: readonly number[]) =>
      isDown ? Promise.reject(new Error('down')) : Promise.resolve(keys),
    );
    const request = {};
    const outcomes = await Promise.allSettled([find(request, 1), find(request, 2)]);
    isDown = false;
    expect([outcomes.map(({ status }) => status), await find(request, 3)]).toEqual([['rejected', 'rejected'], 3]);
  });
});

it('values of two requests are never loaded together', async () => {
  const { loads, find } = doubled();
  await Promise.all([find({}, 1), find({}, 2)]);
  expect(loads).toEqual([[1], [2]]);
});

it('rows are put in the order of the keys', () => {
  const rows = [{ id: 2 }, { id: 1 }];
  expect(inOrder([1, 3, 2, 1], rows, ({ id }) => id)).toEqual([{ id: 1 }, undefined, { id: 2 }, { id: 1 }]);
});
