import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { badRequest } from '../../kernel/errors.js';

/** `uri-host [ ":" port ]`; the host is an IPv6 address in brackets or a name. Source: RFC 9110, 7.2 and RFC 3986, 3.2.2 */
const HOST = /^(?:\[([\da-f:.]+)\]|[\w\-.~%!$&'()*+,;=]*)(?::(\d*))?$/i;

const LAST_PORT = 65_535;

/** Refuses a request without one valid Host header. Source: RFC 9112, 3.2 @throws BAD_REQUEST */
export function checkHost({ httpVersion, headers: { host }, rawHeaders }: IncomingMessage): void {
  if (countOf('host', rawHeaders) > 1) throw badRequest('The request has several Host headers.');
  if (host === undefined && httpVersion === '1.1') throw badRequest('The request has no Host header.');
  if (host !== undefined && !isHost(host)) throw badRequest('The Host header is not the name of a host.');
}

function isHost(text: string): boolean {
  const [host, ipv6, port = ''] = HOST.exec(text) ?? [];
  return host !== undefined && (ipv6 === undefined || isIPv6(ipv6)) && Number(port) <= LAST_PORT;
}

/** How often a header was sent. @param raw names and values in turn */
function countOf(name: string, raw: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < raw.length; i += 2) if (raw[i]?.length === name.length && raw[i]?.toLowerCase() === name) count++;
  return count;
}

/** Returns the path and the query of a request target. "A server MUST accept the absolute-form" (RFC 9112, 3.2.2). */
export function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '');
  return path.startsWith('*') ? `/${path}` : path || '/';
}
