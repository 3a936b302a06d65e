import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { platform } from '../../kit/platform.js';

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const OPENED = { accept: HTML, 'sec-fetch-mode': 'navigate' };

/** What of an answer a client can tell apart. `fetch` would send a Sec-Fetch-Mode of its own. */
async function answerTo(target: string, headers: Readonly<Record<string, string>>) {
  const [method = 'GET', path = '/'] = target.split(' ');
  const sent = request(platform().url + path, { method, headers }).end();
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: reply.statusCode,
    type: reply.headers['content-type'],
    text: await text(reply),
    headers: reply.headers,
  };
}

describe('an address of no route', () => {
  it.each([
    ['by HTTPS or on loopback', 'GET /dashbord', OPENED],
    ['without TLS', 'GET /dashbord', { accept: HTML, 'upgrade-insecure-requests': '1' }],
    ['below a folder of files', 'GET /dashboard/nothing', OPENED],
    ['below the API', 'GET /api/nothing', OPENED],
  ])('is a page for a browser that opens it: %s', async (_, target, headers) => {
    const answer = await answerTo(target, headers);
    expect(answer).toMatchObject({ status: 404, type: 'text/html; charset=utf-8' });
    expect(answer.text).toContain('<a href="/">dashboard</a>');
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'/);
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
  });

  it.each([
    ['/list_folderz', { Error: { error: 'not_found', message: 'There is nothing at this address.' } }],
    ['/api/nothing', { error: 'There is nothing at this address.' }],
  ])('is an error of the API for every other client: %s', async (path, body) => {
    const others = [
      ['GET', {}],
      ['GET', { accept: '*/*' }],
      ['GET', { accept: HTML }],
      ['GET', { accept: HTML, 'sec-fetch-mode': 'cors' }],
      ['GET', { accept: '*/*', 'sec-fetch-mode': 'navigate' }],
      ['POST', OPENED],
    ] as const;
    const answers = await Promise.all(others.map(([method, headers]) => answerTo(`${method} ${path}`, headers)));
    const expected = { status: 404, type: 'application/json; charset=utf-8', text: JSON.stringify(body) };
    for (const answer of answers) expect(answer).toMatchObject(expected);
  });

  it('is not what a route says of a thing that is missing', async () => {
    const { status, type } = await answerTo('GET /api/models/nobody/nothing/', OPENED);
    expect([status, type]).toEqual([404, 'application/json; charset=utf-8']);
  });
});
