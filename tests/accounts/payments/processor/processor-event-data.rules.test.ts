import { describe, expect, it } from '@jest/globals';
import { eventDataOfObject } from '../../../../subgraphs/accounts/payments/processor/processor-event-data.rules.js';

describe('facts of the processor', () => {
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('are none in an object called %s', (object) => {
    expect(eventDataOfObject({ object, id: 'x' })).toEqual([]);
  });
});
