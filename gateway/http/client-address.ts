import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Finds the client address of a request behind trusted proxies. */
export class ClientAddresses {
  private readonly proxies = new BlockList();

  /** @param networks addresses or networks like 10.0.0.0/8 of the trusted proxies */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', prefix] = network.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      this.proxies.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
    }
  }

  /** Whether X-Forwarded-For from this peer is trusted. */
  readonly isTrusted = (address: string): boolean => {
    const unmapped = unmapAddress(address);
    const version = isIP(unmapped);
    return version !== 0 && this.proxies.check(unmapped, version === 6 ? 'ipv6' : 'ipv4');
  };

  /** Returns the nearest address that is not a trusted proxy. Entries beyond it can be forged. */
  of(request: IncomingMessage): string {
    const header = request.headers['x-forwarded-for'];
    let nearest = request.socket.remoteAddress ?? '';
    if (header === undefined) return unmapAddress(nearest);
    const forwarded = (Array.isArray(header) ? header.join(',') : header).split(',').toReversed();
    for (const hop of forwarded.map((item) => item.trim())) {
      if (!this.isTrusted(nearest) || isIP(hop) === 0) break;
      nearest = hop;
    }
    return unmapAddress(nearest);
  }
}

/** Maximum characters of a User-Agent header that subgraphs get. */
const MAX_USER_AGENT = 200;

/** Returns the beginning of the User-Agent header. */
export function userAgentOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return headers['user-agent']?.slice(0, MAX_USER_AGENT);
}

/** Unwraps an IPv4-mapped IPv6 address: `::ffff:1.2.3.4` is 1.2.3.4. */
function unmapAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
