import type { IncomingMessage } from 'node:http';
import { badRequest } from '../../kernel/errors.js';

/** The characters of `uri-host [ ":" port ]`. Source: RFC 9110, 7.2 and RFC 3986, 3.2.2 */
const HOST = /^[\w\-.~%!$&'()*+,;=:[\]]*$/;

/** Refuses a request without one valid Host header. Source: RFC 9112, 3.2 @throws BAD_REQUEST */
export function checkHost({ httpVersion, headersDistinct }: IncomingMessage): void {
  const [host, ...others] = headersDistinct.host ?? [];
  if (others.length > 0) throw badRequest('The request has several Host headers.');
  if (host === undefined && httpVersion === '1.1') throw badRequest('The request has no Host header.');
  if (host !== undefined && !HOST.test(host)) throw badRequest('The Host header is not the name of a host.');
}
