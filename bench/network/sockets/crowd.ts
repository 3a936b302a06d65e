import { once } from 'node:events';
import { WebSocket } from 'ws';
import { runConcurrently } from '../../run-concurrently.js';

/** What a process of clients does. */
export interface CrowdTask {
  readonly url: string;
  readonly count: number;
  /** The address from which the clients connect. */
  readonly localAddress: string;
  /** Undefined: the clients of a bare server. */
  readonly query: string | undefined;
}

/** Few, so that a server and its clients on two cores answer each within the timeout of a handshake. */
const CONCURRENT_OPENS = 10;

/** Clients of one server in this process. It reports `open`, and `event` when the next event has come to all of them. */
class Crowd {
  private received = 0;

  constructor(private readonly task: CrowdTask) {}

  async open(): Promise<void> {
    await runConcurrently(CONCURRENT_OPENS, Array(this.task.count).keys(), async () => {
      const socket = await (this.task.query === undefined ? this.connect('') : this.subscribe(this.task.query));
      socket.on('message', () => {
        if (++this.received % this.task.count === 0) process.send?.('event');
      });
    });
    process.send?.('open');
  }

  private async connect(path: string): Promise<WebSocket> {
    const { url, localAddress } = this.task;
    const socket = new WebSocket(url.replace('http', 'ws') + path, 'graphql-transport-ws', {
      localAddress,
      perMessageDeflate: false,
    });
    socket.on('close', (code, reason) => {
      throw new Error(`a socket was closed with ${code} ${reason.toString()}`);
    });
    await once(socket, 'open');
    return socket;
  }

  /** Resolves when the subscription stands, which the end of a later operation says. */
  private async subscribe(query: string): Promise<WebSocket> {
    const socket = await this.connect('/graphql');
    socket.send('{"type":"connection_init"}');
    await until(socket, 'connection_ack');
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
    socket.send('{"id":"2","type":"subscribe","payload":{"query":"{ __typename }"}}');
    await until(socket, 'complete');
    return socket;
  }
}

/** Resolves with a message of this type, also if it comes at once with others. */
function until(socket: WebSocket, type: string): Promise<void> {
  return new Promise((resolve) => {
    const onMessage = (data: Buffer) => {
      if (!data.includes(`"${type}"`)) return;
      socket.off('message', onMessage);
      resolve();
    };
    socket.on('message', onMessage);
  });
}

process.on('message', (task: CrowdTask) => void new Crowd(task).open());
process.on('disconnect', () => process.exit());
