import { describe, expect, it } from '@jest/globals';
import { serverSentEvents } from '../../../kernel/subgraph/remote/server-sent-events.js';

async function* chunksOf(...chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

async function read(chunks: AsyncIterable<string>, maxCharacters = 1_000): Promise<object[]> {
  const events = [];
  for await (const fields of serverSentEvents(chunks, maxCharacters)) events.push(Object.fromEntries(fields));
  return events;
}

const CASES = [
  ['lines that end with LF', 'event: next\ndata: 1\n\n', [{ event: 'next', data: '1' }]],
  ['lines that end with CRLF', 'event: next\r\ndata: 1\r\n\r\n', [{ event: 'next', data: '1' }]],
  ['lines that end with CR', 'event: next\rdata: 1\r\r', [{ event: 'next', data: '1' }]],
  [
    'all ends of lines in one stream',
    'data: 1\r\n\ndata: 2\r\rdata: 3\n\r\n',
    [{ data: '1' }, { data: '2' }, { data: '3' }],
  ],
  ['a value without a space before it', 'data:1\n\n', [{ data: '1' }]],
  ['the second space of two as part of the value', 'data:  1\n\n', [{ data: ' 1' }]],
  ['a colon in a value', 'data: {"a":"b: c"}\n\n', [{ data: '{"a":"b: c"}' }]],
  ['several lines of data as one text', 'data: {\ndata: "a": 1\ndata: }\n\n', [{ data: '{\n"a": 1\n}' }]],
  ['the last of other fields', 'id: 1\nid: 2\n\n', [{ id: '2' }]],
  ['a field without a colon as empty', 'event: complete\ndata\n\n', [{ event: 'complete', data: '' }]],
  ['no comment', ': keep-alive\n\n:\ndata: 1\n\n', [{ data: '1' }]],
  ['no byte order mark', '\uFEFFdata: 1\n\n', [{ data: '1' }]],
  ['no event that has not ended', 'data: 1\n\ndata: 2\n', [{ data: '1' }]],
] as const;

describe('the reader of server-sent events', () => {
  it.each(CASES)('reads %s', async (_name, stream, events) => {
    expect(await read(chunksOf(stream))).toEqual(events);
  });

  it.each(CASES)('reads %s, wherever chunks end', async (_name, stream, events) => {
    for (let at = 0; at <= stream.length; at++)
      expect(await read(chunksOf(stream.slice(0, at), '', stream.slice(at)))).toEqual(events);
    expect(await read(chunksOf(...stream))).toEqual(events);
  });

  it.each([
    ['a line', () => chunksOf(...Array.from({ length: 20 }, () => 'x'.repeat(100)))],
    ['an event of short lines', () => chunksOf(...Array.from({ length: 200 }, () => 'data: 1234\n'))],
  ])('refuses %s above the limit before it ends', async (_name, chunks) => {
    await expect(read(chunks())).rejects.toThrow('too long');
  });
});
