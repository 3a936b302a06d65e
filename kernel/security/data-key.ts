import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** The table of each subgraph with encrypted columns; it has one row. */
@Entity({ tableName: 'data_key' })
export class DataKeyRow {
  @PrimaryKey({ type: 'boolean', default: true }) isOnly!: Opt<boolean>;
  /** The keys that encrypt secrets of this subgraph: `dataKeyIds`. */
  @Property({ type: 'text[]' }) ids!: readonly string[];
}
