import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** How the store handles policy requests. */
export type StoreMood = 'well' | 'failing' | 'refusing' | 'slow';

/** A store on loopback with the bucket, policy and object requests of the platform. s3rver has no policies. */
export interface PolicyStore {
  /** For BLOB_URL. */
  readonly url: string;
  /** Policies by bucket; undefined: a bucket without one. */
  readonly policies: Map<string, string | undefined>;
  mood: StoreMood;
  /** Runs after a request to delete a bucket has arrived, and before it takes effect. */
  beforeDelete: (() => Promise<void>) | undefined;
  /** Number of policies that were put or deleted. */
  writes: number;
  /** Number of policy writes that began while another one of the same bucket was not finished. */
  overlaps: number;
  close(): Promise<void>;
}

/** Delay of a slow store in milliseconds. */
const SLOW_MS = 300;

/** Starts the store with the bucket `blobs`. */
export async function startPolicyStore(): Promise<PolicyStore> {
  const objects = new Map<string, Buffer>();
  const writing = new Set<string>();
  const store = {
    policies: new Map<string, string | undefined>([['blobs', undefined]]),
    mood: 'well' as StoreMood,
    beforeDelete: undefined as (() => Promise<void>) | undefined,
    writes: 0,
    overlaps: 0,
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://store');
    const [, bucket = '', ...key] = url.pathname.split('/');
    const body = await buffer(request);
    if (url.searchParams.has('policy')) return policyAnswer(request.method ?? '', bucket, { body, response });
    if (key.join('') !== '') return objectAnswer(request, url.pathname, { body, response, objects });
    if (request.method === 'PUT') {
      if (store.policies.has(bucket)) return refuse(response, 409, 'BucketAlreadyOwnedByYou');
      store.policies.set(bucket, undefined);
      return end(response, 200);
    }
    if (request.method === 'DELETE') return deleteAnswer(bucket, response);
    end(response, store.policies.has(bucket) ? 200 : 404);
  }
  async function deleteAnswer(bucket: string, response: ServerResponse): Promise<void> {
    await store.beforeDelete?.();
    if (store.mood === 'failing') return refuse(response, 500, 'InternalError');
    if ([...objects.keys()].some((path) => path.startsWith(`/${bucket}/`)))
      return refuse(response, 409, 'BucketNotEmpty');
    if (!store.policies.delete(bucket)) return refuse(response, 404, 'NoSuchBucket');
    end(response, 204);
  }
  async function policyAnswer(
    method: string,
    bucket: string,
    { body, response }: { readonly body: Buffer; readonly response: ServerResponse },
  ): Promise<void> {
    if (store.mood === 'failing') return refuse(response, 500, 'InternalError');
    if (!store.policies.has(bucket)) return refuse(response, 404, 'NoSuchBucket');
    if (method === 'GET') {
      const policy = store.policies.get(bucket);
      return policy === undefined ? refuse(response, 404, 'NoSuchBucketPolicy') : end(response, 200, policy);
    }
    if (store.mood === 'refusing') return refuse(response, 400, 'MalformedPolicy');
    if (writing.has(bucket)) store.overlaps += 1;
    writing.add(bucket);
    if (store.mood === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    store.writes += 1;
    store.policies.set(bucket, method === 'PUT' ? asStoresKeepIt(body.toString()) : undefined);
    writing.delete(bucket);
    end(response, 204);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(store, {
    url: `s3://blobs/files?endpoint=http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

/** Like real stores, writes a list with one item as that item, and reorders lists. */
function asStoresKeepIt(policy: string): string {
  const turned = (_: string, value: unknown) =>
    Array.isArray(value) && typeof value[0] === 'string' ? (value.length === 1 ? value[0] : value.toReversed()) : value;
  return JSON.stringify(JSON.parse(policy, turned));
}

interface Exchange {
  readonly body: Buffer;
  readonly response: ServerResponse;
  readonly objects: Map<string, Buffer>;
}

function objectAnswer({ method, headers }: IncomingMessage, path: string, { body, response, objects }: Exchange): void {
  const kept = objects.get(path);
  if (method === 'PUT') {
    if (kept && headers['if-none-match'] === '*') return refuse(response, 412, 'PreconditionFailed');
    objects.set(path, body);
    return end(response, 200);
  }
  if (method === 'DELETE') {
    objects.delete(path);
    return end(response, 204);
  }
  if (!kept) return refuse(response, 404, 'NoSuchKey');
  response.writeHead(200, { 'content-length': kept.length, etag: '"kept"' }).end(kept);
}

function end(response: ServerResponse, status: number, text = ''): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(text) }).end(text);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  response
    .writeHead(status, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(text) })
    .end(text);
}
