import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';

const agent = new Agent({ keepAlive: true });

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** Sends a request over a connection that is kept and reads its answer. @throws when it is refused */
export async function ask(
  method: string,
  url: string,
  { headers = {}, body }: Asked,
): Promise<{ readonly status: number; readonly headers: IncomingMessage['headers']; readonly bytes: Buffer }> {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const begun = request(url, { method, agent, headers: { ...headers, ...length } });
  begun.end(body);
  const [response] = (await once(begun, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat(await response.toArray());
  const status = response.statusCode ?? 500;
  if (status >= 400) throw new Error(`${method} ${url}: ${status} ${bytes.toString()}`);
  return { status, headers: response.headers, bytes };
}
