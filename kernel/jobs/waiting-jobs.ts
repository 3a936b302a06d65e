/*
 * Statements for waiting jobs, whose states before `active` are `created` and `retry`. No job is blocked: `NOT blocked` makes them use
 * the index of pg-boss for waiting jobs, without which they read the finished jobs too.
 */

/** Milliseconds until the first waiting job of a queue ($1) is due. */
export const nextDueText = (schema: string) => `
  SELECT extract(epoch FROM min(start_after) - now())::double precision * 1000 AS ms
    FROM ${schema}.job WHERE name = $1 AND state < 'active' AND NOT blocked`;

/** How many jobs are due, by name, and the seconds that the first of them has waited. */
export const dueJobsText = (schema: string) => `
  SELECT data->>'job' AS job, count(*)::integer AS waiting, extract(epoch FROM now() - min(start_after))::float8 AS seconds
    FROM ${schema}.job
   WHERE name IN ('work', 'slow-work', 'mail-work', 'storage-work') AND state < 'active' AND NOT blocked AND start_after <= now()
   GROUP BY 1`;
