import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { end, until } from '../watch.js';
import { notifyModels, push, remove } from './artifacts.js';
import { digestOf, REGISTRY_TOKEN, startRegistry } from './registry.js';

/** Program of Debian's package docker-registry. */
const PROGRAM = 'docker-registry';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

/** A registry that stores pushes and notifies the platform. */
export interface RealRegistry {
  readonly name: string;
  /** Pushes a model with one file of this size. @returns the digest of its manifest */
  push(repository: string, tag: string, size: number): Promise<string>;
  remove(repository: string, digest: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts Debian's docker-registry if it is installed, else the test registry with the same protocol. */
export async function startRealRegistry(port: number, platformUrl: string): Promise<RealRegistry> {
  const url = `http://127.0.0.1:${port}`;
  if (!(await isInstalled(PROGRAM))) return startStandIn(port, platformUrl);
  const folder = await mkdtemp(join(tmpdir(), 'archipelago-registry-'));
  await writeFile(join(folder, 'config.json'), JSON.stringify(configOf(folder, { port, platformUrl })));
  const child = spawn(PROGRAM, ['serve', join(folder, 'config.json')], { stdio: 'ignore' });
  await once(child, 'spawn');
  await until(() => answers(url));
  return {
    name: `Debian's ${PROGRAM}`,
    push: (repository, tag, size) => pushWhole(`${url}/v2/${repository}`, tag, size),
    remove: (repository, digest) => remove(repository, digest, url),
    stop: () => stop(child, folder),
  };
}

async function startStandIn(port: number, platformUrl: string): Promise<RealRegistry> {
  const registry = await startRegistry(port);
  return {
    name: `the registry of the tests, as ${PROGRAM} is not installed`,
    async push(repository, tag, size) {
      const layers = [{ mediaType: 'application/octet-stream', size, path: 'model.gguf', annotation: TITLE }];
      const digest = await push(repository, tag, { configType: EMPTY, config: '{}', layers }, registry.url);
      await notifyModels(repository, { tag, digest }, platformUrl);
      return digest;
    },
    async remove(repository, digest) {
      await remove(repository, digest, registry.url);
      await notifyModels(repository, { action: 'delete', digest }, platformUrl);
    },
    stop: () => registry.stop(),
  };
}

const TITLE = 'org.opencontainers.image.title';
const EMPTY = 'application/vnd.oci.empty.v1+json';

/** Source: distribution's documentation, Configuring a registry. JSON is valid YAML. */
function configOf(folder: string, { port, platformUrl }: { readonly port: number; readonly platformUrl: string }) {
  const endpoint = {
    name: 'platform',
    url: `${platformUrl}/api/models/notifications/`,
    headers: { Authorization: [`Bearer ${REGISTRY_TOKEN}`] },
    timeout: '5s',
    threshold: 5,
    backoff: '1s',
  };
  return {
    version: 0.1,
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, 'blobs') }, delete: { enabled: true } },
    http: { addr: `127.0.0.1:${port}`, secret: 'the secret of the tests' },
    notifications: { endpoints: [endpoint] },
  };
}

async function isInstalled(program: string): Promise<boolean> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = await Promise.allSettled(folders.map((folder) => access(join(folder, program))));
  return found.some(({ status }) => status === 'fulfilled');
}

async function answers(url: string): Promise<boolean> {
  return (await fetch(`${url}/v2/`).catch(() => undefined))?.ok ?? false;
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  await end(child, 'SIGTERM');
  await rm(folder, { recursive: true, force: true });
}

async function pushWhole(repository: string, tag: string, size: number): Promise<string> {
  const config = await pushBlob(repository, Buffer.from('{}'));
  const layer = await pushBlob(repository, randomBytes(size));
  const body = JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: { mediaType: EMPTY, ...config },
    layers: [{ mediaType: 'application/octet-stream', ...layer, annotations: { [TITLE]: 'model.gguf' } }],
  });
  await mustDo(`${repository}/manifests/${tag}`, { method: 'PUT', body, headers: { 'content-type': MANIFEST } });
  return digestOf(body);
}

/** Source: OCI distribution specification, Pushing a blob, POST then PUT. */
async function pushBlob(repository: string, bytes: Buffer): Promise<{ digest: string; size: number }> {
  const digest = digestOf(bytes);
  const opened = await mustDo(`${repository}/blobs/uploads/`, { method: 'POST' });
  const place = new URL(opened.headers.get('location') ?? '', repository);
  place.searchParams.set('digest', digest);
  const headers = { 'content-type': 'application/octet-stream' };
  await mustDo(place.href, { method: 'PUT', body: new Uint8Array(bytes), headers });
  return { digest, size: bytes.length };
}

async function mustDo(url: string, request: RequestInit): Promise<Response> {
  const answer = await fetch(url, request);
  if (!answer.ok) throw new Error(`${request.method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}
