import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { Agent, request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { startInProcess } from '../../tests/kit/arrangements.js';
import { openChunks } from '../../tests/kit/files/bytes.js';
import { signIn, type SignedIn } from '../../tests/kit/accounts/wallet.js';
import type { Cleanup } from '../cleanup.js';
import { temporaryFolder } from '../environment.js';
import { startServer, type Server } from '../processes.js';

export const CHUNK_BYTES = 16 * 1024 * 1024;

/** Sends the next chunk of a writer. */
export type SendChunk = (chunk: Buffer) => Promise<void>;

/** A server that receives chunks. */
export interface Receiver {
  readonly name: string;
  readonly pid: number;
  /** Prepares the uploads. Returns one function per writer. */
  prepare(chunks: number, writers: number): Promise<SendChunk[]>;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request and reads the response. @throws for status 300 and above */
export async function send(
  method: string,
  url: string,
  { headers, bytes }: { readonly headers: OutgoingHttpHeaders; readonly bytes?: Buffer },
): Promise<{ readonly headers: IncomingMessage['headers']; readonly text: string }> {
  const outgoing = request(url, { method, agent, headers: { ...headers, 'content-length': bytes?.length ?? 0 } });
  outgoing.end(bytes);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await response.toArray()).toString();
  if ((response.statusCode ?? 500) >= 300) throw new Error(`${method} ${url}: ${response.statusCode} ${text}`);
  return { headers: response.headers, text };
}

/** Starts the platform in one process, in a temporary folder. */
export async function startPlatform(
  cleanup: Cleanup,
): Promise<Receiver & { readonly user: SignedIn; readonly url: string }> {
  const platform = await startInProcess({ DATA_DIR: await temporaryFolder(cleanup) });
  cleanup.add(() => platform.stop());
  const user = await signIn(undefined, platform.url);
  const headers = { authorization: `Bearer ${user.token}`, 'content-type': 'application/octet-stream' };
  const prepare = async (chunks: number, writers: number): Promise<SendChunk[]> => {
    const path = await openChunks(user, { chunks, url: platform.url });
    let next = 0;
    const put = async (bytes: Buffer) =>
      void (await send('PUT', `${platform.url}${path}/${next++}`, { headers, bytes }));
    return Array.from({ length: writers }, () => put);
  };
  return { name: 'platform', pid: platform.processes[0]?.child.pid ?? 0, prepare, user, url: platform.url };
}

/** Starts a server that only hashes, writes and syncs. */
export async function startBare(cleanup: Cleanup): Promise<Receiver> {
  const { url, pid } = await startPeer('bare', cleanup);
  const headers = { 'content-type': 'application/octet-stream' };
  const put = async (bytes: Buffer) => void (await send('PUT', `${url}/chunk`, { headers, bytes }));
  return {
    name: 'node:http, BLAKE3, fsync',
    pid,
    prepare: async (_, writers) => Array.from({ length: writers }, () => put),
  };
}

/** Starts the tus server. It takes the chunks of an upload in order, so every writer has its own upload. */
export async function startTus(cleanup: Cleanup): Promise<Receiver> {
  const { url, pid } = await startPeer('tus', cleanup);
  const prepare = (chunks: number, writers: number): Promise<SendChunk[]> =>
    Promise.all(
      Array.from({ length: writers }, async () => {
        const protocolHeaders = { 'tus-resumable': '1.0.0' };
        const created = await send('POST', `${url}/files`, {
          headers: { ...protocolHeaders, 'upload-length': chunks * CHUNK_BYTES },
        });
        let offset = 0;
        return async (bytes: Buffer) => {
          const headers = {
            ...protocolHeaders,
            'upload-offset': offset,
            'content-type': 'application/offset+octet-stream',
          };
          await send('PATCH', new URL(created.headers.location ?? '', url).href, { headers, bytes });
          offset += bytes.length;
        };
      }),
    );
  return { name: '@tus/server, without both', pid, prepare };
}

async function startPeer(name: 'bare' | 'tus', cleanup: Cleanup): Promise<Server> {
  const folder = join(await temporaryFolder(cleanup), 'files');
  await mkdir(folder);
  return startServer(cleanup, [`bench/sync/${name}.js`, folder]);
}
