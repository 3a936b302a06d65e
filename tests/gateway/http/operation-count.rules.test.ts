import { expect, it } from '@jest/globals';
import { OperationTypeNode } from 'graphql';
import { countOperation } from '../../../gateway/http/metrics.js';
import { writeMetrics } from '../../../kernel/telemetry/metrics-answer.js';

it.each([
  ['OK', []],
  ['NOT_FOUND', ['NOT_FOUND', 'FORBIDDEN']],
  ['UNAVAILABLE', ['NOT_FOUND', 'UNAVAILABLE']],
  ['INTERNAL', ['INTERNAL', 'UNAVAILABLE']],
])('an operation counts as %s with the errors %j', async (code, codes) => {
  const field = `of${code}`;
  countOperation({ type: OperationTypeNode.QUERY, field, codes }, 0.1);
  const { text } = await writeMetrics(undefined);
  expect(text).toContain(`graphql_operations_total{type="query",operation="${field}",code="${code}"} 1`);
});
