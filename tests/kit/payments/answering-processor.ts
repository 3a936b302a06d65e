import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startOnDatabase, type PlatformOnDatabase } from '../database/own-database.js';

/** A request of the platform. `GET /v1/checkout/sessions/cs_1` has the name `sessions` and the id `cs_1`. */
export interface ProcessorRequest {
  readonly name: string;
  readonly id: string | undefined;
  readonly message: IncomingMessage;
}

export interface ProcessorAnswer {
  readonly status: number;
  readonly body: object;
}

/** Starts a platform whose payment processor answers as the function says. `stop` ends both. */
export async function startWithProcessor(
  answerTo: (request: ProcessorRequest) => ProcessorAnswer,
): Promise<PlatformOnDatabase> {
  const processor = createServer((message, response) => {
    message.resume();
    const [, name = '', id] = /^\/v1\/(?:checkout\/)?(\w+)(?:\/(\w+))?/.exec(message.url ?? '') ?? [];
    const { status, body } = answerTo({ name, id, message });
    const headers = { 'content-type': 'application/json', 'stripe-should-retry': 'false', 'request-id': 'req_test' };
    response.writeHead(status, headers);
    response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(processor, 'listening');
  const url = `http://127.0.0.1:${(processor.address() as AddressInfo).port}`;
  const platform = await startOnDatabase({ PAYPROC: 'stripe', PAYPROC_API_URL: url });
  const stop = async () => {
    await platform.stop();
    processor.closeAllConnections();
    processor.close();
  };
  return { ...platform, stop };
}
