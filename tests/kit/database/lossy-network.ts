import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A network before PostgreSQL that can lose its connections without an end. */
export interface LossyNetwork {
  /** The URL of the database through the network. */
  readonly url: string;
  /** Neither side gets anything through the present connections from now on, nor their end. */
  lose(): void;
  /** Ends the present connections. */
  end(): void;
  close(): Promise<void>;
}

/** Starts a network before the database of this URL. */
export async function startLossyNetwork(databaseUrl: string): Promise<LossyNetwork> {
  const target = new URL(databaseUrl);
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) sockets.push(socket.on('error', () => undefined));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const end = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: Object.assign(new URL(databaseUrl), { port: `${port}` }).href,
    lose() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    end,
    async close() {
      end();
      server.close();
      await once(server, 'close');
    },
  };
}
