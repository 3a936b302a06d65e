import { expect, it } from '@jest/globals';
import { readAddress } from '../../../subgraphs/network/graph/address/address.rules.js';

it.each([
  ['::ffff:10.0.0.1', '`address` is an IPv4 address in IPv6 form: write `10.0.0.1`.'],
  ['::FFFF:a00:1', '`address` is an IPv4 address in IPv6 form: write `10.0.0.1`.'],
  ['::ffff:10.0.0.0/104', '`address` is an IPv4 address in IPv6 form: write `10.0.0.0`.'],
  ['fe80::1%eth0', '`address` must not have a zone, the part from `%` on.'],
  ['1.2.3.4/33', '`address` has the prefix length `/33`; an IPv4 network has `/0` to `/32`.'],
  ['1.2.3.4/-1', '`address` has the prefix length `/-1`; an IPv4 network has `/0` to `/32`.'],
  [`1.2.3.4/${'9'.repeat(60)}`, '`address` has the prefix length `/99999999999999999999`; an'],
  ['2001:db8::/129', '`address` has the prefix length `/129`; an IPv6 network has `/0` to `/128`.'],
])('the address %s of a resource is refused with what is wrong', (text, message) => {
  expect(() => readAddress(text, undefined)).toThrow(message);
});
