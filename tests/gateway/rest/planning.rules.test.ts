import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import { ROUTES } from '../../../gateway/rest/contract.js';
import { Interpreter } from '../../../gateway/rest/interpreter/interpreter.js';
import { parseOperations } from '../../../gateway/rest/operations.js';
import { operationsOf } from '../../../gateway/rest/route.js';
import { packageRoot } from '../../../kernel/package-root.js';
import { openLog } from '../../../kernel/telemetry/log.js';

const read = (file: string) => readFileSync(`${packageRoot()}/${file}`, 'utf8');

class CountingEngine extends Engine {
  planned = 0;
  override plan(...parameters: Parameters<Engine['plan']>) {
    this.planned++;
    return super.plan(...parameters);
  }
}

const NAMES = ROUTES.flatMap((route) => [...operationsOf(route), ...(route.etag ? [route.etag.operation] : [])]);

function open() {
  const engine = new CountingEngine(readSupergraph(read('schema/supergraph.graphql')), new Map());
  const operations = parseOperations(read('gateway/rest/operations.graphql'));
  return {
    engine,
    interpreter: new Interpreter(engine, operations, { routes: ROUTES, log: openLog('silent', 'tests') }),
  };
}

describe('the operations of the REST routes', () => {
  it('are all planned once, soon after the start, so that no request waits for a plan', async () => {
    const { engine, interpreter } = open();
    expect(engine.planned).toBe(0);
    for (let i = 0; i < 2; i++) await interpreter.planAll(new AbortController().signal);
    expect(engine.planned).toBe(new Set(NAMES).size);
  }, 60_000);

  it('are planned no more when the server stops', async () => {
    const { engine, interpreter } = open();
    await interpreter.planAll(AbortSignal.abort());
    expect(engine.planned).toBe(0);
  });
});
