import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Probe } from './provider.js';

/** Milliseconds that an application may take to answer. */
const TIMEOUT_MS = 5_000;

/** Whether an application answers there: HTTP with 200 to 399, or to a connection. Never throws: who does not answer is not well. */
export async function answers(host: string, { port, path }: Probe): Promise<boolean> {
  try {
    return path === null ? await accepts(host, port) : await serves(host, port, path);
  } catch {
    return false;
  }
}

async function serves(host: string, port: number, path: string): Promise<boolean> {
  const request = get({ host, port, path, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // Only the first line is of interest, however long the rest may be.
  request.on('error', () => undefined).destroy();
  const status = response.statusCode ?? 0;
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
