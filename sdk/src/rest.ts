import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './generated/openapi.js';
import type { Transport } from './transport.js';

/** The REST client: paths, parameters, bodies and answers have the types of `openapi.json`. */
export type RestClient = Client<paths>;

/** Returns a REST client that sends its requests by a transport, with its token and retries. */
export function restClient(transport: Transport): RestClient {
  // As `Request` writes it: without a default port, with a host in ASCII.
  const base = new URL(transport.url).href.replace(/\/+$/, '');
  return createClient<paths>({
    baseUrl: base,
    fetch: async (request) => {
      // `request.body` is undefined in Firefox, also where there is one.
      const body = await request.arrayBuffer();
      return transport.send(request.url.slice(base.length), {
        method: request.method,
        headers: Object.fromEntries(request.headers),
        signal: request.signal,
        ...(body.byteLength > 0 && { body }),
      });
    },
  });
}
