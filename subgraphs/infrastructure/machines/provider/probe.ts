import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { responseOf } from '../../../../kernel/http/response-of.js';
import type { Probe } from './provider.js';

/** Time-out of a health check in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Health check: HTTP status 200 to 399, or a TCP connection. Never throws; a failure is false. */
export async function answers(host: string, { port, path }: Probe): Promise<boolean> {
  try {
    return path === null ? await accepts(host, port) : await serves(host, port, path);
  } catch {
    return false;
  }
}

async function serves(host: string, port: number, path: string): Promise<boolean> {
  const request = get({ host, port, path, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { statusCode: status = 0 } = await responseOf(request);
  request.destroy(); // Only the status is needed, so the body is not read.
  return status >= 200 && status < 400;
}

async function accepts(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port, timeout: TIMEOUT_MS });
  socket.once('timeout', () => socket.destroy(new Error('no answer')));
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}
