import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { NoResponse, post } from '../../../subgraphs/accounts/notifications/webhook/post.js';
import { answers } from '../../../subgraphs/infrastructure/machines/provider/probe.js';
import { HostUnreachable } from '../../../subgraphs/infrastructure/machines/provider/provider.js';
import { ProxmoxApi } from '../../../subgraphs/infrastructure/machines/provider/proxmox/api.js';
import { CERTIFICATE, FINGERPRINT, PRIVATE_KEY } from '../../kit/machines/proxmox-certificate.js';

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n';

const servers = [createHttpServer(), createHttpsServer({ key: PRIVATE_KEY, cert: CERTIFICATE })] as const;
const [plain, secure] = servers;
const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  for (const server of servers) {
    server.on('request', ({ socket }) => void socket.write(SWITCHING)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

describe('a server that answers 101 to a plain request', () => {
  it('gave no response to a webhook', async () => {
    const request = { url: `http://127.0.0.1:${portOf(plain)}/`, headers: {}, body: '{}' };
    await expect(post(request, { loopback: true })).rejects.toThrow(NoResponse);
  });

  it('fails a health check', async () => {
    expect(await answers('127.0.0.1', { port: portOf(plain), path: '/' })).toBe(false);
  });

  it('is an unreachable host', async () => {
    const config = { url: `https://127.0.0.1:${portOf(secure)}`, fingerprint: FINGERPRINT, token: 'tests' };
    const api = new ProxmoxApi(config as ConstructorParameters<typeof ProxmoxApi>[0]);
    await expect(api.request('GET', 'version')).rejects.toThrow(HostUnreachable);
  });
});
