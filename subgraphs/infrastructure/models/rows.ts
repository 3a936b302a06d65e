import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'model_content' })
export class ModelContentRow {
  @PrimaryKey({ type: 'bigint', autoincrement: false }) versionId!: string;
  @Property({ type: 'jsonb' }) files!: unknown;
}

@Entity({ tableName: 'model_crawl' })
export class ModelCrawlRow {
  @PrimaryKey({ type: 'boolean', default: true }) isOnly!: Opt<boolean>;
  @Property({ type: 'bigint', defaultRaw: `0` }) number!: Opt<string>;
  @Property({ type: 'bigint', defaultRaw: `0` }) firstPollNumber!: Opt<string>;
  @Property({ type: 'text', nullable: true }) page!: string | null;
  @Property({ type: 'text', nullable: true }) lastRepository!: string | null;
  @Property({ type: 'boolean', default: false }) isCatalogueDone!: Opt<boolean>;
  @Property({ type: 'datetime', nullable: true }) finishedAt!: Date | null;
  @Property({ type: 'boolean', default: false }) isRequested!: Opt<boolean>;
  @Property({ type: 'uuid', nullable: true }) leaseHolder!: string | null;
  @Property({ type: 'datetime', defaultRaw: `'-infinity'::timestamp with time zone` }) leaseExpiresAt!: Opt<Date>;
  @Property({ type: 'integer', default: 0 }) pages!: Opt<number>;
}

@Entity({ tableName: 'model_project' })
export class ModelProjectRow {
  @PrimaryKey({ type: 'text' }) project!: string;
  @Property({ type: 'integer', nullable: true }) ownerUserId!: number | null;
  @Property({ type: 'boolean' }) isPublic!: boolean;
}

@Entity({ tableName: 'model_repository' })
export class ModelRepositoryRow {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
  @Property({ type: 'text' }) project!: string;
  @Property({ type: 'text' }) repo!: string;
  @Property({ type: 'bigint', defaultRaw: `0` }) crawl!: Opt<string>;
  @Property({ type: 'bigint', nullable: true }) newestVersionId!: string | null;
  @Property({ type: 'datetime', nullable: true }) newestAt!: Date | null;
}

@Entity({ tableName: 'model_tag' })
export class ModelTagRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) repositoryId!: number;
  @PrimaryKey({ type: 'text' }) tag!: string;
  @Property({ type: 'text', nullable: true }) digest!: string | null;
  @Property({ type: 'bigint', nullable: true }) versionId!: string | null;
  @Property({ type: 'bigint' }) pollNumber!: string;
}

@Entity({ tableName: 'model_version' })
export class ModelVersionRow {
  @PrimaryKey({ type: 'bigint', generated: 'identity' }) id!: Opt<string>;
  @Property({ type: 'integer' }) repositoryId!: number;
  @Property({ type: 'text' }) digest!: string;
  @Property({ type: 'text' }) packaging!: string;
  @Property({ type: 'text', nullable: true }) format!: string | null;
  @Property({ type: 'text', nullable: true }) architecture!: string | null;
  @Property({ type: 'text', nullable: true }) quantization!: string | null;
  @Property({ type: 'bigint', nullable: true }) parameterCount!: string | null;
  @Property({ type: 'bigint' }) totalSizeBytes!: string;
  @Property({ type: 'text' }) searchText!: string;
  @Property({ type: 'datetime' }) indexedAt!: Date;
  @Property({ type: 'bigint' }) pollNumber!: string;
}
