import { badRequest } from '../../../../kernel/errors.js';

/** The default and least preferred metric. */
export const DEFAULT_METRIC = 9_999;

/** Validates a metric. @throws BAD_REQUEST */
export function checkMetric(metric: number): number {
  if (metric < 1 || metric > DEFAULT_METRIC) throw badRequest(`\`metric\` must be from 1 to ${DEFAULT_METRIC}.`);
  return metric;
}
