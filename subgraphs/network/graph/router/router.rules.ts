import { badRequest } from '../../../../kernel/errors.js';

/** The default and least preferred metric. */
export const USUAL_METRIC = 9_999;

/** Validates a metric. @throws BAD_REQUEST */
export function checkMetric(metric: number): number {
  if (metric < 1 || metric > USUAL_METRIC) throw badRequest(`\`metric\` must be from 1 to ${USUAL_METRIC}.`);
  return metric;
}
