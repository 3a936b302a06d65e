import { sql } from 'kysely';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

const REGISTRY_STATES = ['missing', 'reading', 'read'] as const;
export type RegistryState = (typeof REGISTRY_STATES)[number];

/** GraphQL enum whose names equal its values. */
export const RegistryStateEnum = Object.fromEntries(REGISTRY_STATES.map((state) => [state, state]));

registerEnumType(RegistryStateEnum, {
  name: 'ModelRegistryState',
  description:
    '`missing`: no registry is configured (`REGISTRY_URL`), so no models are indexed; `reading`: the first full comparison with the registry is due or running, and does not end while the registry cannot be reached; `read`: it has ended.',
});

@ObjectType({
  description: 'The current or last full comparison of the model index with the registry.',
  simpleResolvers: true,
})
export class ModelCrawl {
  @Field(() => Int, { description: 'Sequence number; 0: no crawl has run yet.' })
  number!: number;

  @Field(() => Boolean, { description: 'Whether it is running or queued.' })
  isPending!: boolean;

  @Field(() => DateTime, { nullable: true, description: 'When it ended; null while it is running.' })
  finishedAt!: Date | null;
}

/** The columns of the crawl in GraphQL. */
export const CRAWL_COLUMNS = [
  sql<number>`number::integer`.as('number'),
  sql<boolean>`is_requested OR finished_at IS NULL`.as('isPending'),
  sql<Date | null>`CASE WHEN isfinite(finished_at) THEN finished_at END`.as('finishedAt'),
] as const;
