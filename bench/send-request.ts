import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';

const agent = new Agent({ keepAlive: true });

/** Closes the connections. A server may close one that waits while others are measured, just when it is used again. */
export function closeConnections(): void {
  agent.destroy();
}

interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** Sends a request over a keep-alive connection and reads the response. @throws for status 400 and above */
export async function sendRequest(
  method: string,
  url: string,
  { headers = {}, body }: RequestOptions,
): Promise<{ readonly status: number; readonly headers: IncomingMessage['headers']; readonly bytes: Buffer }> {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const outgoing = request(url, { method, agent, headers: { ...headers, ...length } });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat(await response.toArray());
  const status = response.statusCode ?? 500;
  if (status >= 400) throw new Error(`${method} ${url}: ${status} ${bytes.toString()}`);
  return { status, headers: response.headers, bytes };
}
