import { describe, expect, it } from '@jest/globals';
import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { sql } from 'kysely';
import { anyOf, query, QueryCompiler, type Db, type Query } from '../../../kernel/database/query.js';

@Entity({ tableName: 'ship' })
class ShipRow {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
  @Property({ type: 'text' }) homePort!: string;
  @Property({ type: 'datetime', nullable: true }) sunkAt!: Date | null;
}

@Entity({ tableName: 'cargo' })
class CargoRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) shipId!: number;
  @Property({ type: 'integer' }) netTons!: number;
}

type Tables = Db<{ ship: ShipRow; cargo: CargoRow }>;

const compiler = new QueryCompiler('sea');
const textOf = <Values extends object>(statement: Query<Values, unknown>, values: Values) =>
  compiler.prepare(statement, values).text;

describe('a typed statement', () => {
  it('returns columns under the names of their properties and binds values', () => {
    const ships = query('ships', (db: Tables, value: { port: string }) =>
      db.selectFrom('ship').select(['id', 'homePort']).where('homePort', '=', value.port).where('sunkAt', 'is', null),
    );
    expect(compiler.prepare(ships, { port: "'" })).toEqual({
      name: 'ships',
      text: 'select "id", "home_port" as "homePort" from "sea"."ship" where "home_port" = $1 and "sunk_at" is null',
      values: ["'"],
    });
  });

  it('inserts, updates on conflict and returns', () => {
    const add = query('add-ship', (db: Tables, value: { homePort: string }) =>
      db
        .insertInto('ship')
        .values({ homePort: value.homePort, sunkAt: null })
        .onConflict((on) => on.column('homePort').doUpdateSet({ sunkAt: (eb) => eb.ref('excluded.sunkAt') }))
        .returning('homePort'),
    );
    expect(textOf(add, { homePort: 'Kiel' })).toBe(
      'insert into "sea"."ship" ("home_port", "sunk_at") values ($1, $2) on conflict ("home_port") do update set "sunk_at" = "excluded"."sunk_at" returning "home_port" as "homePort"',
    );
  });

  it('names columns of aliased tables, of parts and of its own', () => {
    const heavy = query('heavy-ships', (db: Tables, value: { ids: readonly number[] }) =>
      db
        .with('load', (part) =>
          part
            .selectFrom('cargo')
            .select(['shipId', (eb) => eb.fn.sum<string>('netTons').as('allTons')])
            .groupBy('shipId'),
        )
        .selectFrom('ship as s')
        .innerJoin('load as l', 'l.shipId', 's.id')
        .select(['s.homePort', 'l.allTons'])
        .where('s.id', '=', anyOf(value.ids))
        .forUpdate('s'),
    );
    expect(textOf(heavy, { ids: [1] })).toBe(
      'with "load" as (select "ship_id", sum("net_tons") as "all_tons" from "sea"."cargo" group by "ship_id") select "s"."home_port" as "homePort", "l"."all_tons" as "allTons" from "sea"."ship" as "s" inner join "load" as "l" on "l"."ship_id" = "s"."id" where "s"."id" = any($1) for update of "s"',
    );
  });

  it('updates from another table', () => {
    const sink = query('sink-ships', (db: Tables, value: { now: Date; tons: number }) =>
      db
        .updateTable('ship as s')
        .from('cargo as c')
        .set({ sunkAt: value.now })
        .whereRef('c.shipId', '=', 's.id')
        .where('c.netTons', '>', value.tons)
        .returning('s.sunkAt'),
    );
    expect(textOf(sink, { now: new Date(), tons: 1 })).toBe(
      'update "sea"."ship" as "s" set "sunk_at" = $1 from "sea"."cargo" as "c" where "c"."ship_id" = "s"."id" and "c"."net_tons" > $2 returning "s"."sunk_at" as "sunkAt"',
    );
  });

  it('has its constants in the text, quoted, and binds all values', () => {
    const cargo = query('constants', (db: Tables, value: { id: number }) =>
      db
        .selectFrom('ship')
        .select(sql<boolean>`${value.id} > ${1}`.as('isLater'))
        .where('homePort', 'in', ["Land's End", 'Kiel'])
        .where('id', '=', value.id)
        .limit(2),
    );
    expect(compiler.prepare(cargo, { id: 5 })).toEqual({
      name: 'constants',
      text: `select $1 > 1 as "isLater" from "sea"."ship" where "home_port" in ('Land''s End', 'Kiel') and "id" = $2 limit 2`,
      values: [5, 5],
    });
  });

  it('takes SQL text for what the builder lacks, and still binds its values', () => {
    const now = query(
      'sea-time',
      (_: Tables, value: { zone: string }) => sql<{ at: Date }>`SELECT now() AT TIME ZONE ${value.zone} AS at`,
    );
    expect(textOf(now, { zone: 'UTC' })).toBe('SELECT now() AT TIME ZONE $1 AS at');
  });

  it('has no name for PostgreSQL when it must be planned for its values', () => {
    const search = query('search-ships', (db: Tables) => db.selectFrom('ship').select('id'), { isPrepared: false });
    expect(compiler.prepare(search, {})).toEqual({ text: 'select "id" from "sea"."ship"', values: [] });
  });

  it('refuses a name that is taken, columns that are not named, and decisions by values', () => {
    expect(() => query('ships', (db: Tables) => db.selectFrom('ship').select('id'))).toThrow('two statements');
    const all = query('all-ships', (db: Tables) => db.selectFrom('ship').selectAll());
    expect(() => textOf(all, {})).toThrow('name each column');
    const limited = query('some-ships', (db: Tables, value: { limit: number }) =>
      db
        .selectFrom('ship')
        .select('id')
        .limit(value.limit + 1),
    );
    expect(() => textOf(limited, { limit: 1 })).toThrow('limit is known only when the statement is executed');
    const spread = query('spread', (db: Tables, value: { homePort: string }) =>
      db.insertInto('ship').values({ ...value, sunkAt: null }),
    );
    expect(() => textOf(spread, { homePort: 'Kiel' })).toThrow('cannot be spread');
  });
});
