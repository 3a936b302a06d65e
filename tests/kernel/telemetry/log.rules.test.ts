import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../kernel/package-root.js';
import { readableLine } from '../../../kernel/telemetry/log.js';
import { spawnPiped, toEnd } from '../../kit/run.js';

const line = (fields: object): string =>
  readableLine(JSON.stringify({ level: 40, time: '2026-11-22T20:15:03.120Z', name: 'archipelago', ...fields }));

describe('a line of the log on a terminal', () => {
  it('is the time, the level, the message and the details', () => {
    expect(line({ subgraph: 'sync', msg: 'an idle connection broke' })).toBe(
      '20:15:03 WARN  an idle connection broke subgraph=sync\n',
    );
  });

  it('has the message of an error, and no stack', () => {
    expect(line({ err: { message: 'no such table', stack: 'Error: no\n    at x' }, msg: 'a job failed' })).toBe(
      '20:15:03 WARN  a job failed err="no such table"\n',
    );
  });

  it('has the values of a list', () => {
    expect(line({ operation: { type: 'query', codes: ['FORBIDDEN', 'NOT_FOUND'] }, msg: 'request' })).toBe(
      '20:15:03 WARN  request operation.type=query operation.codes=FORBIDDEN,NOT_FOUND\n',
    );
  });

  it('stays one line, whatever it is about', () => {
    expect(line({ req: { method: 'GET', url: '/', extra: {} }, msg: 'one\n  two' })).toBe(
      '20:15:03 WARN  one | two req.method=GET req.url=/\n',
    );
  });
});

describe('the log', () => {
  it('has the message and the code of an error of PostgreSQL, but no value of a row and no connection', async () => {
    const code = `
      const { openLog } = await import('${packageRoot()}/dist/kernel/telemetry/log.js');
      const fields = { code: '23505', detail: 'Key (email)=(ada@mail.example) exists.', where: 'ada', client: { secretKey: 7 } };
      openLog('info', 'test').error({ err: Object.assign(new Error('duplicate key'), fields) }, 'it failed');`;
    const child = spawnPiped([process.execPath, '--input-type=module', '-e', code], {});
    const { err } = JSON.parse((await toEnd(child)).stderr);
    expect(err).toMatchObject({ message: 'duplicate key', code: '23505' });
    expect(JSON.stringify(err)).not.toMatch(/ada|secretKey/);
  });
});
