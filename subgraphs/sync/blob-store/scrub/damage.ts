import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Computed } from '../../../../kernel/database/query.js';
import { DateTime, Int64 } from '../../../../kernel/scalars/scalars.js';

/** Kinds of damage. */
export enum ChunkDamage {
  ALTERED = 'ALTERED',
  MISSING = 'MISSING',
  UNREADABLE = 'UNREADABLE',
}

registerEnumType(ChunkDamage, {
  name: 'ChunkDamage',
  description: 'Kind of damage of a chunk in the store.',
  valuesConfig: {
    ALTERED: { description: 'The bytes do not match the stored hash.' },
    MISSING: { description: 'The object is missing or too short.' },
    UNREADABLE: {
      description:
        'The store could not read the object at the last check, e.g. because of a bad sector or permissions; it may be intact.',
    },
  },
});

@ObjectType({ description: 'A chunk that is damaged, missing or unreadable in the store.', simpleResolvers: true })
export class DamagedChunk {
  @Field(() => String, {
    description: 'Object in the store: the file path in the directory, or the key in the bucket.',
  })
  @PrimaryKey({ type: 'text' })
  objectKey!: string;

  @Field(() => ChunkDamage, { description: 'Kind of damage.' })
  @Property({ type: 'text' })
  damage!: ChunkDamage;

  @Field(() => Int, { description: 'Index of the chunk in the file, from 0.' })
  chunkIndex!: Computed<number>;

  @Field(() => Int64, { description: 'Expected size in bytes.' })
  sizeBytes!: Computed<string>;

  @Field(() => String, {
    nullable: true,
    description: 'SS58 address of the owner; null while the upload is not finalized.',
  })
  ownerAddress!: Computed<string> | null;

  @Field(() => String, {
    nullable: true,
    description: 'The folder of the file; empty for files of an object-store gateway.',
  })
  folderHash!: Computed<string> | null;

  @Field(() => ID, { nullable: true, description: 'File id: hex of the path hash.' })
  fileId!: Computed<string> | null;

  @Field(() => DateTime, { description: 'When the damage was first found.' })
  @Property({ type: 'datetime' })
  foundAt!: Date;

  @Field(() => DateTime, { description: 'When the damage was last confirmed.' })
  @Property({ type: 'datetime' })
  seenAt!: Date;
}

@Entity({ tableName: 'damaged_chunk' })
export class DamagedChunkRow extends DamagedChunk {
  /** When administrators were notified. */
  @Property({ type: 'datetime', nullable: true }) notifiedAt!: Date | null;
}

@ObjectType({
  description: 'State and findings of the storage check, which reads the whole store in rounds.',
  simpleResolvers: true,
})
export class StorageCheck {
  @Field(() => DateTime, { nullable: true, description: 'When the last round began; null before the first.' })
  beganAt!: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the last complete round ended; null before the first.',
  })
  endedAt!: Date | null;

  @Field(() => Int, { description: 'Number of chunks that are damaged, missing or unreadable now.' })
  damagedCount!: number;

  @Field(() => [DamagedChunk], { description: 'A page of these chunks, oldest finding first.' })
  damaged!: DamagedChunk[];
}

@ObjectType({ description: 'Result of one run of the storage check.', simpleResolvers: true })
export class StorageCheckRun {
  @Field(() => Int, { description: 'Number of chunks that were read.' })
  checkedChunks!: number;

  @Field(() => Int, { description: 'Number of damaged, missing or unreadable chunks among them.' })
  damagedChunks!: number;

  @Field(() => Boolean, { description: 'Whether the round is complete; if not, the next run continues it.' })
  isOver!: boolean;
}
