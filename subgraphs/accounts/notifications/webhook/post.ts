import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { responseOf } from '../../../../kernel/http/response-of.js';
import { isAllowedAddress, type AllowedAddresses } from './public-address.js';
import { addressesOf } from './resolve-name.js';
import { hostOf } from './webhook.rules.js';

/** A request to an endpoint. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response of an endpoint. */
export interface PostResponse {
  readonly status: number;
  /** At most 500 characters. */
  readonly body: string;
}

/** The endpoint gave no response; the owner of the endpoint is shown the message. */
export class NoResponse extends Error {}

/** Timeout for the whole response in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Maximum stored characters of a response, and the bytes read for them. */
const KEPT_CHARACTERS = 500;
const KEPT_BYTES = 4 * KEPT_CHARACTERS;

/** Sends a request to the checked addresses only. Redirects are not followed. @throws NoResponse */
export async function post({ url, headers, body }: Post, allowed: AllowedAddresses): Promise<PostResponse> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const target = new URL(url);
    if (!allowed.loopback && target.protocol !== 'https:') throw new NoResponse('The address is not https.');
    const lookup = await pinnedLookup(hostOf(target), allowed, signal);
    const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      signal,
      lookup,
    });
    const response = await responseOf(request.end(body));
    return { status: response.statusCode ?? 0, body: await startOfBody(response) };
  } catch (error) {
    if (error instanceof NoResponse) throw error;
    if (signal.aborted) throw new NoResponse(`There was no answer within ${TIMEOUT_MS / 1000} s.`);
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new NoResponse(`The endpoint could not be reached${code}.`);
  }
}

/** Resolves the name once, so that it cannot change to an unchecked address before the connection. */
async function pinnedLookup(host: string, allowed: AllowedAddresses, signal: AbortSignal): Promise<LookupFunction> {
  const addresses = await addressesOf(host, signal).catch((error: unknown) => {
    throw signal.aborted ? new NoResponse('The name could not be resolved in time.') : error;
  });
  const [first] = addresses;
  if (!first || !addresses.every(({ address }) => isAllowedAddress(address, allowed)))
    throw new NoResponse('The endpoint is not at a public address.');
  return (_host, options, callback) =>
    options.all ? callback(null, [...addresses]) : callback(null, first.address, first.family);
}

async function startOfBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= KEPT_BYTES) break;
    }
  } catch {
    // The response was interrupted: use the part that was received.
  }
  response.destroy();
  return Buffer.concat(chunks)
    .toString('utf8')
    .replaceAll('\0', '')
    .slice(0, KEPT_CHARACTERS)
    .replace(/[\ud800-\udbff]$/, '');
}
