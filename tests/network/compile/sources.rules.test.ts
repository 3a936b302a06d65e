import { expect, it } from '@jest/globals';
import { Sources } from '../../../subgraphs/network/compile/rights/sources.rules.js';

it('a peer that is not among the sources has no rights of another', () => {
  const sources = new Sources([{ id: 1, label: 'a', ip: '100.64.0.1', groups: [7] }]);
  expect(sources.peerClassOf(1)).toBe(0);
  expect(() => sources.peerClassOf(2)).toThrow('the peer 2 is not among the sources');
});
