import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent, request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startInProcess, startProcess, type RunningProcess } from '../../tests/kit/arrangements.js';
import { openChunks } from '../../tests/kit/bytes.js';
import { signIn, type SignedIn } from '../../tests/kit/wallet.js';
import type { Ends } from '../ends.js';

export const CHUNK_BYTES = 16 * 1024 * 1024;

/** What a writer does with its next chunk. */
export type SendChunk = (chunk: Buffer) => Promise<void>;

/** A server that is given chunks. */
export interface Receiver {
  readonly name: string;
  readonly pid: number;
  /** Makes everything ready for so many chunks by so many writers; returns what each of them does. */
  prepare(chunks: number, writers: number): Promise<SendChunk[]>;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request and reads its answer. @throws when it is refused */
export async function send(
  method: string,
  url: string,
  { headers, bytes }: { readonly headers: OutgoingHttpHeaders; readonly bytes?: Buffer },
): Promise<{ readonly headers: IncomingMessage['headers']; readonly text: string }> {
  const begun = request(url, { method, agent, headers: { ...headers, 'content-length': bytes?.length ?? 0 } });
  begun.end(bytes);
  const [response] = (await once(begun, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await response.toArray()).toString();
  if ((response.statusCode ?? 500) >= 300) throw new Error(`${method} ${url}: ${response.statusCode} ${text}`);
  return { headers: response.headers, text };
}

/** The platform, in one process, on folders of its own. */
export async function startPlatform(ends: Ends): Promise<Receiver & { readonly user: SignedIn; readonly url: string }> {
  const platform = await startInProcess({ DATA_DIR: await folderFor(ends) });
  ends.add(() => platform.stop());
  const user = await signIn(undefined, platform.url);
  const headers = { authorization: `Bearer ${user.token}`, 'content-type': 'application/octet-stream' };
  const prepare = async (chunks: number, writers: number): Promise<SendChunk[]> => {
    const path = await openChunks(user, { chunks, url: platform.url });
    let next = 0;
    const put = async (bytes: Buffer) =>
      void (await send('PUT', `${platform.url}${path}/${next++}`, { headers, bytes }));
    return Array.from({ length: writers }, () => put);
  };
  return { name: 'platform', pid: pidOf(platform.processes[0]), prepare, user, url: platform.url };
}

/** Nothing but a server that writes and syncs. */
export async function startBare(ends: Ends): Promise<Receiver> {
  const { url, pid } = await startPeer('bare', ends);
  const headers = { 'content-type': 'application/octet-stream' };
  const put = async (bytes: Buffer) => void (await send('PUT', `${url}/chunk`, { headers, bytes }));
  return { name: 'bare node:http', pid, prepare: async (_, writers) => Array.from({ length: writers }, () => put) };
}

/** The tus server: chunks of one upload follow each other there, so that every writer has an upload of its own. */
export async function startTus(ends: Ends): Promise<Receiver> {
  const { url, pid } = await startPeer('tus', ends);
  const prepare = (chunks: number, writers: number): Promise<SendChunk[]> =>
    Promise.all(
      Array.from({ length: writers }, async () => {
        const common = { 'tus-resumable': '1.0.0' };
        const made = await send('POST', `${url}/files`, {
          headers: { ...common, 'upload-length': chunks * CHUNK_BYTES },
        });
        let offset = 0;
        return async (bytes: Buffer) => {
          const headers = { ...common, 'upload-offset': offset, 'content-type': 'application/offset+octet-stream' };
          await send('PATCH', new URL(made.headers.location ?? '', url).href, { headers, bytes });
          offset += bytes.length;
        };
      }),
    );
  return { name: '@tus/server', pid, prepare };
}

async function startPeer(name: 'bare' | 'tus', ends: Ends): Promise<{ url: string; pid: number }> {
  const folder = join(await folderFor(ends), 'files');
  await mkdir(folder);
  const port = await freePort();
  const server = await startProcess([`bench/sync/${name}.js`, folder, `${port}`], {});
  ends.add(() => server.stop());
  return { url: `http://127.0.0.1:${port}`, pid: pidOf(server) };
}

async function folderFor(ends: Ends): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  ends.add(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function pidOf(process: RunningProcess | undefined): number {
  return process?.child.pid ?? 0;
}
