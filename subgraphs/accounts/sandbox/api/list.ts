import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { integer, oneOf, part, text, texts, type Form } from '../form.rules.js';
import type { SandboxStore } from '../sandbox-store.js';
import type { SandboxObjectName } from '../sandbox-objects.js';
import { refuse } from '../refusal.js';
import type { Handler } from '../route.js';

/** Default and maximum page size. Source: Stripe API reference, Pagination */
const PAGE = { default: 10, max: 100 } as const;

interface Page {
  readonly kind: SandboxObjectName;
  /** JSON that each object must contain. */
  readonly fields: string;
  readonly types: readonly string[] | null;
  readonly statuses: readonly string[] | null;
  readonly from: number;
  readonly until: number;
  readonly cursor: string | null;
  readonly limit: number;
}

const selectPage = (db: Tables, { kind, fields, types, statuses, from, until, limit }: Page) =>
  db
    .selectFrom('sandboxObject')
    .select('object')
    .where('kind', '=', kind)
    .where(
      sql<boolean>`object @> ${fields}::jsonb
        AND (${types}::text[] IS NULL OR object->>'type' = ANY(${types}))
        AND (${statuses}::text[] IS NULL OR object->>'status' = ANY(${statuses}))
        AND (object->>'created')::bigint BETWEEN ${from} AND ${until}`,
    )
    .limit(limit);
const positionOf = (id: string | null) => sql<string>`(SELECT position FROM accounts.sandbox_object WHERE id = ${id})`;

const NEWEST = query('sandbox-list', (db: Tables, value: Page) =>
  selectPage(db, value)
    .where(sql<boolean>`(${value.cursor}::text IS NULL OR position < ${positionOf(value.cursor)})`)
    .orderBy('position', 'desc'),
);
const BEFORE = query('sandbox-list-backwards', (db: Tables, value: Page) =>
  selectPage(db, value).where('position', '>', positionOf(value.cursor)).orderBy('position'),
);

/** Filters from the parameters of a list. */
export interface Filters {
  /** Fields that an object must contain, as JSON. */
  readonly fields?: object;
  readonly types?: readonly string[];
  readonly statuses?: readonly string[];
}

/** A route that lists a kind, newest first, page by page. */
export function listRoute(
  kind: SandboxObjectName,
  url: string,
  filters: (form: Form) => Filters = () => ({}),
): Handler {
  return async (store, { form }) => {
    const { fields = {}, types = null, statuses = null } = filters(form);
    const { limit, cursor, isBackwards } = await readPage(store, kind, form);
    const { from, until } = created(form);
    const matching = { kind, fields: JSON.stringify(fields), types, statuses, from, until };
    const page = isBackwards ? BEFORE : NEWEST;
    const rows = await store.transaction.run(page, { ...matching, cursor, limit: limit + 1 });
    const data = rows.slice(0, limit).map(({ object }) => object);
    return { object: 'list', data: isBackwards ? data.toReversed() : data, has_more: rows.length > limit, url };
  };
}

/** The requested page. @throws Refusal for a cursor that is not the id of an object of this kind */
async function readPage(
  store: SandboxStore,
  kind: SandboxObjectName,
  form: Form,
): Promise<{ limit: number; cursor: string | null; isBackwards: boolean }> {
  const limit = integer(form, 'limit') ?? PAGE.default;
  if (limit < 1 || limit > PAGE.max) throw refuse({ message: 'Invalid integer: 1 to 100.', param: 'limit' });
  const after = text(form, 'starting_after');
  const before = text(form, 'ending_before');
  const cursor = before ?? after ?? null;
  const isBackwards = before !== undefined;
  if (cursor !== null) await store.get(kind, cursor, isBackwards ? 'ending_before' : 'starting_after');
  return { limit, cursor, isBackwards };
}

/** The range of seconds in `created`, both ends included. */
function created(form: Form): { from: number; until: number } {
  if (typeof form.created === 'string' && form.created !== '') {
    const at = integer(form, 'created') ?? 0;
    return { from: at, until: at };
  }
  const range = part(form, 'created');
  const after = integer(range, 'gt');
  const before = integer(range, 'lt');
  return {
    from: integer(range, 'gte') ?? (after === undefined ? 0 : after + 1),
    until: integer(range, 'lte') ?? (before === undefined ? Number.MAX_SAFE_INTEGER : before - 1),
  };
}

/** Fields whose parameters have the same name and must be equal. */
export function equal(form: Form, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = text(form, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** `active=true` as a field. */
export function activity(form: Form): { active?: boolean } {
  const word = oneOf(form, 'active', ['true', 'false']);
  return word === undefined ? {} : { active: word === 'true' };
}

/** The types in the filter of a list of events. */
export function eventTypes(form: Form): Filters {
  const types = [...texts(form, 'types'), ...texts(form, 'type')];
  return types.length > 0 ? { types } : {};
}
