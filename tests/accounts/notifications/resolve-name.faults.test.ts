import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { addressesOf } from '../../../subgraphs/accounts/notifications/webhook/resolve-name.js';

const IPV4 = 1;

/** The header of an answer with one record, then the question, then the address 93.184.216.34. Source: RFC 1035, 4.1 */
function answerTo(question: Buffer): Buffer {
  const type = question.readUInt16BE(question.indexOf(0, 12) + 1);
  const end = question.indexOf(0, 12) + 5;
  const header = Buffer.from([
    question[0] ?? 0,
    question[1] ?? 0,
    0x81,
    0x80,
    0,
    1,
    0,
    type === IPV4 ? 1 : 0,
    0,
    0,
    0,
    0,
  ]);
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 216, 34]);
  return Buffer.concat([header, question.subarray(12, end), ...(type === IPV4 ? [record] : [])]);
}

/** A DNS server that answers for every name but those with `slow`. */
let server: Socket;
let servers: string[];
beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (question, { port, address }) => {
    if (!question.includes('slow')) server.send(answerTo(question), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  servers = [`127.0.0.1:${server.address().port}`];
});
afterAll(() => void server.close());

describe('the host of a webhook', () => {
  const never = new AbortController().signal;

  it('is found by DNS', async () => {
    expect(await addressesOf('hooks.example', never, servers)).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });

  it.each([
    ['93.184.216.34', [{ address: '93.184.216.34', family: 4 }]],
    ['2606:2800::1', [{ address: '2606:2800::1', family: 6 }]],
    [
      'a.localhost',
      [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ],
    ],
  ])('needs no DNS when it is %s', async (host, addresses) => {
    expect(await addressesOf(host, never, ['127.0.0.1:1'])).toEqual(addresses);
  });

  it('whose name is slow holds no other up, and is given up with the request', async () => {
    const request = new AbortController();
    let areGivenUp = false;
    const slow = Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => addressesOf(`slow-${n}.example`, request.signal, servers)),
    ).then((answers) => {
      areGivenUp = true;
      return answers;
    });
    const others = await Promise.all([addressesOf('hooks.example', never, servers), lookup('localhost')]);
    const [first] = others;
    const before = areGivenUp;
    request.abort();
    const statuses = new Set((await slow).map(({ status }) => status));
    expect({ first: first.length, before, statuses }).toEqual({
      first: 1,
      before: false,
      statuses: new Set(['rejected']),
    });
  });
});
