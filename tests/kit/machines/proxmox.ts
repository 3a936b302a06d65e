import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ProxmoxConfig } from '../../../subgraphs/infrastructure/config.js';
import { CERTIFICATE, FINGERPRINT, PRIVATE_KEY } from './proxmox-certificate.js';
import { ProxmoxMachines, Refusal, type Fields } from './proxmox-machines.js';
import type { TestClock } from './provider-fixture.js';

const TOKEN = 'cloud@pve!archipelago=5f1f24ff-5a4e-4a2c-9a45-0d3f8a3f2f11';

/** Routes and their allowed fields. Proxmox refuses other fields too. Source: Proxmox VE 9, API schema */
const ROUTES: readonly Route[] = [
  ['GET', /^nodes\/pve\/storage\/local\/content$/, ['content'], (machines) => machines.discsHeld()],
  [
    'POST',
    /^nodes\/pve\/storage\/local\/upload$/,
    ['content', 'filename'],
    (machines, _words, fields) => machines.upload(fields),
  ],
  [
    'DELETE',
    /^nodes\/pve\/storage\/local\/content\/([^/]+)$/,
    [],
    (machines, [volid = '']) => machines.removeDisc(volid),
  ],
  ['GET', /^cluster\/resources$/, ['type'], (machines) => machines.resources()],
  ['GET', /^nodes\/pve\/tasks\/([^/]+)\/status$/, [], (machines, [upid = '']) => machines.taskStatus(upid)],
  ['GET', /^nodes\/pve\/qemu\/(\d+)\/status\/current$/, [], (machines, [id]) => machines.current(Number(id))],
  ['GET', /^nodes\/pve\/qemu\/(\d+)\/config$/, ['current'], (machines, [id]) => machines.config(Number(id))],
  [
    'GET',
    /^nodes\/pve\/qemu\/(\d+)\/agent\/network-get-interfaces$/,
    [],
    (machines, [id]) => machines.interfaces(Number(id)),
  ],
  [
    'POST',
    /^nodes\/pve\/qemu\/(\d+)\/clone$/,
    ['newid', 'name', 'description', 'full', 'storage'],
    (machines, [id], fields) => machines.clone(Number(id), fields),
  ],
  [
    'PUT',
    /^nodes\/pve\/qemu\/(\d+)\/config$/,
    ['cores', 'sockets', 'memory', 'agent', 'onboot', 'ciuser', 'sshkeys', 'ipconfig0', 'cicustom', 'ide2', 'delete'],
    (machines, [id], fields) => machines.change(Number(id), fields),
  ],
  [
    'PUT',
    /^nodes\/pve\/qemu\/(\d+)\/resize$/,
    ['disk', 'size'],
    (machines, [id], fields) => machines.resize(Number(id), fields),
  ],
  ['POST', /^nodes\/pve\/qemu\/(\d+)\/status\/start$/, ['timeout'], (machines, [id]) => machines.start(Number(id))],
  ['POST', /^nodes\/pve\/qemu\/(\d+)\/status\/stop$/, ['timeout'], (machines, [id]) => machines.stop(Number(id))],
  [
    'POST',
    /^nodes\/pve\/qemu\/(\d+)\/status\/shutdown$/,
    ['timeout', 'forceStop'],
    (machines, [id], fields) => machines.shutdown(Number(id), fields),
  ],
  ['POST', /^nodes\/pve\/qemu\/(\d+)\/status\/reboot$/, ['timeout'], (machines, [id]) => machines.reboot(Number(id))],
  [
    'DELETE',
    /^nodes\/pve\/qemu\/(\d+)$/,
    ['purge', 'destroy-unreferenced-disks'],
    (machines, [id]) => machines.destroy(Number(id)),
  ],
];

type Route = readonly [
  method: string,
  path: RegExp,
  fields: readonly string[],
  answer: (machines: ProxmoxMachines, words: readonly string[], fields: Fields) => unknown,
];

const SYSTEM_CLOCK: Pick<TestClock, 'nowMs'> = {
  get nowMs() {
    return Date.now();
  },
};

/** A server with the API of Proxmox VE. */
export class TestProxmox {
  readonly machines: ProxmoxMachines;
  /** `METHOD path` of each request, oldest first. */
  readonly requests: string[] = [];
  /** Handles the request itself when it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  /** Runs before each request is answered. */
  beforeAnswer: () => Promise<void> = () => Promise.resolve();
  /** Executes matching requests, but closes the connection without a response. */
  dropsResponseTo: RegExp | undefined;

  private constructor(
    private readonly server: Server,
    clock: Pick<TestClock, 'nowMs'>,
  ) {
    this.machines = new ProxmoxMachines(clock);
  }

  static async start(clock: Pick<TestClock, 'nowMs'> = SYSTEM_CLOCK): Promise<TestProxmox> {
    const server = createServer({ key: PRIVATE_KEY, cert: CERTIFICATE }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxmox = new TestProxmox(server, clock);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      proxmox.answer(request, response).catch(() => request.socket.destroy());
    });
    return proxmox;
  }

  get config(): ProxmoxConfig {
    const { port } = this.server.address() as AddressInfo;
    const url = `https://127.0.0.1:${port}`;
    return { provider: 'proxmox', url, token: TOKEN, node: 'pve', storage: 'local', fingerprint: FINGERPRINT };
  }

  /** The settings of a platform whose machines it runs. */
  get variables(): Readonly<Record<string, string>> {
    const { provider, url, token, node, storage = '', fingerprint = '' } = this.config;
    const host = { VM_PROVIDER: provider, PROXMOX_URL: url, PROXMOX_TOKEN: token, PROXMOX_NODE: node };
    return { ...host, PROXMOX_STORAGE: storage, PROXMOX_FINGERPRINT: fingerprint };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'https://proxmox');
    const path = url.pathname.replace('/api2/json/', '');
    let body = '';
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString('latin1');
    this.requests.push(`${request.method} ${path}`);
    await this.beforeAnswer();
    if (this.intercept(request, response)) return;
    const [status, answer] = this.handle(
      request,
      path,
      Object.fromEntries([...url.searchParams, ...fieldsOf(request, body)]),
    );
    if (this.dropsResponseTo?.test(`${request.method} ${path}`)) request.socket.destroy();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  private handle({ method, headers }: IncomingMessage, path: string, fields: Fields): [number, unknown] {
    if (headers.authorization !== `PVEAPIToken=${TOKEN}`) return [401, { data: null }];
    for (const [verb, pattern, known, answer] of ROUTES) {
      const words = verb === method ? pattern.exec(path) : null;
      if (!words) continue;
      const odd = Object.keys(fields).find((field) => !known.includes(field));
      if (odd !== undefined) return [400, { data: null, errors: { [odd]: 'property is not defined in schema' } }];
      try {
        return [200, { data: answer(this.machines, words.slice(1).map(decodeURIComponent), fields) ?? null }];
      } catch (error) {
        return [error instanceof Refusal ? error.status : 500, { data: null, message: String(error) }];
      }
    }
    return [501, { data: null, message: `Method '${method} /${path}' not implemented` }];
  }
}

/** Parses a form, URL-encoded or multipart. A file becomes its name, a newline and its content. */
function fieldsOf({ headers }: IncomingMessage, body: string): Iterable<[string, string]> {
  const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return new URLSearchParams(body);
  return body.split(`--${boundary}`).flatMap((part): [string, string][] => {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    const name = / name="([^"]+)"/.exec(head)?.[1];
    const file = / filename="([^"]+)"/.exec(head)?.[1];
    const content = rest.join('\r\n\r\n').replace(/\r\n$/, '');
    return name === undefined ? [] : [[name, file === undefined ? content : `${file}\n${content}`]];
  });
}
