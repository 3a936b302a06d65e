import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { platform } from '../platform.js';

/** What happens to a request: with a number it is answered with a page and this status, else it reaches the platform. */
type Fate = 'answered' | 'lost' | 'half' | number;

/** A proxy before the platform that loses answers, or sends half of them. */
export interface LossyProxy {
  readonly url: string;
  /** Decides about each request. */
  fateOf: (request: { readonly path: string; readonly body: string }) => Fate | Promise<Fate>;
  readonly close: () => void;
}

export async function startLossyProxy(): Promise<LossyProxy> {
  const server = createServer((request, response) => {
    const answer = async () => {
      const { method = 'GET', url: path = '', headers } = request;
      const bytes = await buffer(request);
      const fate = await proxy.fateOf({ path, body: bytes.toString('latin1') });
      if (typeof fate === 'number')
        return response.writeHead(fate, { 'content-type': 'text/html' }).end('<h1>nginx</h1>');
      const { authorization = '', 'content-type': kind = '' } = headers;
      const sent = { method, headers: { authorization, 'content-type': kind }, body: bytes.length > 0 ? bytes : null };
      const answered = await fetch(platform().url + path, sent);
      const content = Buffer.from(await answered.arrayBuffer());
      if (fate === 'lost') return response.destroy();
      const type = { 'content-type': answered.headers.get('content-type') ?? '', 'content-length': content.length };
      response.writeHead(answered.status, type);
      if (fate === 'answered') return response.end(content);
      return response.write(content.subarray(0, content.length / 2), () => response.destroy());
    };
    void answer();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: LossyProxy = { url, fateOf: () => 'answered', close };
  return proxy;
}
