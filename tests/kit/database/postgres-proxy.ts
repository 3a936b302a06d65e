import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy before PostgreSQL that breaks connections. */
export interface PostgresProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** Number of connections that it broke. */
  readonly broken: number;
  /** Breaks the next transaction with this text, e.g. the name of a statement, after its COMMIT took effect and before the answer. */
  loseCommitOf(text: string): void;
  /** Breaks the next connection that sends this text, before PostgreSQL gets it. */
  breakNext(text: string): void;
  /** Corrupts this text in the next statement that has it, so that PostgreSQL reports a syntax error. */
  corruptNext(text: string): void;
  close(): Promise<void>;
}

/** The message of a simple query with the text COMMIT. Source: PostgreSQL, message formats, Query */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0');

/** Starts a proxy before the database of this URL. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const state = { broken: 0, commitOf: '', breakAt: '', corruptAt: '' };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const [isNamed, isCommitted] = [{ value: false }, { value: false }];
    const destroy = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        destroy();
      });
    }
    const breakConnection = () => {
      state.broken += 1;
      destroy();
    };
    client.on('data', (sent) => {
      if (state.breakAt !== '' && sent.includes(state.breakAt)) {
        state.breakAt = '';
        return breakConnection();
      }
      if (state.commitOf !== '' && sent.includes(state.commitOf)) {
        state.commitOf = '';
        isNamed.value = true;
      }
      if (state.corruptAt !== '' && sent.includes(state.corruptAt)) {
        sent.fill('?', sent.indexOf(state.corruptAt), sent.indexOf(state.corruptAt) + 1);
        state.corruptAt = '';
      }
      isCommitted.value = isNamed.value && sent.includes(COMMIT);
      upstream.write(sent);
    });
    upstream.on('data', (answer) => (isCommitted.value ? breakConnection() : client.write(answer)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = `${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    get broken() {
      return state.broken;
    },
    loseCommitOf: (text) => void (state.commitOf = text),
    breakNext: (text) => void (state.breakAt = text),
    corruptNext: (text) => void (state.corruptAt = text),
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
