import { badRequest } from '../../../../kernel/errors.js';
import { isStorable } from '../../../../kernel/scalars/text.js';
import { isAllowedAddress, type AllowedAddresses } from './public-address.js';

/** Maximum characters of a URL. */
const MAX_URL = 2_048;

/**
 * Validates and normalizes the URL of an endpoint. The addresses of its host are checked when something is sent.
 * @throws BAD_REQUEST for an invalid URL, a password, or a host that is not public
 */
export function checkEndpointUrl(url: string, allowed: AllowedAddresses): string {
  if (url.length > MAX_URL || !isStorable(url) || !URL.canParse(url))
    throw badRequest(`\`url\` must be a URL of at most ${MAX_URL} characters.`);
  const parsed = new URL(url);
  const protocols = allowed.loopback ? ['https:', 'http:'] : ['https:'];
  if (!protocols.includes(parsed.protocol)) throw badRequest('`url` must start with https://.');
  if (parsed.username !== '' || parsed.password !== '')
    throw badRequest('`url` must not contain a user name or password; verify the signature of deliveries instead.');
  if (isPrivateHost(hostOf(parsed), allowed)) throw badRequest('`url` must resolve to a public address.');
  parsed.hash = '';
  if (parsed.href.length > MAX_URL) throw badRequest(`\`url\` must be a URL of at most ${MAX_URL} characters.`);
  return parsed.href;
}

/** The host without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Whether a name is one of this machine, whatever DNS says. Source: RFC 6761, 6.3 */
export function isLocalName(host: string): boolean {
  return /^(?:.+\.)?localhost\.?$/.test(host);
}

function isPrivateHost(host: string, allowed: AllowedAddresses): boolean {
  if (isLocalName(host)) return !allowed.loopback;
  const isAddress = /^[\d.]+$/.test(host) || host.includes(':');
  return isAddress && !isAllowedAddress(host, allowed);
}
