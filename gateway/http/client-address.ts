import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Tells whose address a request comes from when proxies stand in between. */
export class ClientAddresses {
  private readonly proxies = new BlockList();

  /** @param networks addresses or networks like 10.0.0.0/8 of the proxies that are believed */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', prefix] = network.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      this.proxies.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
    }
  }

  /** Whether this peer's X-Forwarded-For is believed. */
  readonly isTrusted = (address: string): boolean => {
    const plain = plainAddress(address);
    const version = isIP(plain);
    return version !== 0 && this.proxies.check(plain, version === 6 ? 'ipv6' : 'ipv4');
  };

  /** The nearest address that is no trusted proxy's: what lies beyond it anyone may have written. */
  of(request: IncomingMessage): string {
    const header = request.headers['x-forwarded-for'];
    const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').toReversed();
    let nearest = request.socket.remoteAddress ?? '';
    for (const hop of forwarded.map((item) => item.trim())) {
      if (!this.isTrusted(nearest) || isIP(hop) === 0) break;
      nearest = hop;
    }
    return plainAddress(nearest);
  }
}

/** IPv4 as such, also where a socket of both families writes it as `::ffff:1.2.3.4`. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
