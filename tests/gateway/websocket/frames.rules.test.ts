import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { SerializedResult } from '../../../gateway/graphql/serialized-result.js';
import { Outlet } from '../../../gateway/websocket/outlet.js';

/** Keeps the chunks that are written to a connection. */
class Connection extends Duplex {
  readonly chunks: Buffer[] = [];
  writes = 0;

  override _read(): void {}

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: () => void): void {
    this.writes += 1;
    this.chunks.push(...chunks.map(({ chunk }) => chunk));
    done();
  }
}

const OPEN = { readyState: WebSocket.OPEN, OPEN: WebSocket.OPEN } as WebSocket;

/** Sends a result to this many clients, each with an id of its own. Returns their connections. */
function sendToAll(
  result: SerializedResult,
  clients: number,
): { readonly id: string; readonly connection: Connection }[] {
  return Array.from({ length: clients }, () => {
    const [id, connection] = [randomUUID(), new Connection()];
    new Outlet(OPEN, connection).sendNext(id, result);
    return { id, connection };
  });
}

describe('an event that many websockets get', () => {
  it.each([10, 200, 70_000, 1_000_000])('is one frame with the id of each: %i characters', (length) => {
    const payload = { data: { text: 'x'.repeat(length) } };
    for (const { id, connection } of sendToAll(new SerializedResult(payload), 3)) {
      const frame = Buffer.concat(connection.chunks);
      const text = frame.subarray(frame.indexOf('{'));
      expect(JSON.parse(text.toString())).toEqual({ id, type: 'next', payload });
      const [short, long] = [frame.readUInt8(1), frame.length];
      const written = short < 126 ? short : short === 126 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2));
      expect([frame.readUInt8(0), written, connection.writes]).toEqual([0x81, text.length, 1]);
      expect(long - text.length).toBe(short < 126 ? 2 : short === 126 ? 4 : 10);
    }
  });

  it('is in memory once if it is large, whatever ids the clients use', () => {
    const connections = sendToAll(new SerializedResult({ data: { text: 'x'.repeat(1_000_000) } }), 50);
    const memory = new Set(connections.flatMap(({ connection }) => connection.chunks.map(({ buffer }) => buffer)));
    const bytes = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(bytes).toBeLessThan(2_000_000);
  });
});
