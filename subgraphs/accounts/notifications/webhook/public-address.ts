import { BlockList, isIP } from 'node:net';

/** Which addresses webhooks may be sent to. */
export interface AllowedAddresses {
  /** Also local addresses, if the operator allows them for tests. */
  readonly loopback: boolean;
}

/** Special-purpose ranges that are not the public internet. Source: IANA special-purpose address registries */
const SPECIAL = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Exceptions within the assigned range 2000::/3: tunnels and documentation.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

const LOOPBACK = blockList(['127.0.0.0/8', '::1/128']);
const GLOBAL_UNICAST = blockList(['2000::/3']);

/** Whether a webhook may be sent to this IP address. */
export function isAllowedAddress(address: string, { loopback }: AllowedAddresses): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (loopback && LOOPBACK.check(address, family)) return true;
  if (family === 'ipv6' && !GLOBAL_UNICAST.check(address, family)) return false;
  return isIP(address) !== 0 && !SPECIAL.check(address, family);
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix = ''] = range.split('/');
    list.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}
