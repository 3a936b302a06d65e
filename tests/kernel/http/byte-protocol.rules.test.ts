import { expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { readPreamble } from '../../../kernel/http/byte-protocol.js';

const MAX_JSON_BYTES = 16 * 2 ** 20;

/** A stream of JSON, filled up to the length, behind its length. */
function streamOf(length: number): Readable {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(length);
  return Readable.from([size, Buffer.from(JSON.stringify({ query: '{ x }', bytes: 'x' }).padEnd(length))]);
}

it('JSON before bytes is read up to its maximum length', async () => {
  expect(await readPreamble(streamOf(MAX_JSON_BYTES))).toEqual({ query: '{ x }', bytes: 'x' });
  expect(await readPreamble(streamOf(MAX_JSON_BYTES + 1))).toBeUndefined();
});
