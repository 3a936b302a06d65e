import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, Int64 } from '../../../../kernel/scalars.js';

/** What can be wrong with a chunk. */
export enum ChunkDamage {
  ALTERED = 'ALTERED',
  MISSING = 'MISSING',
}

registerEnumType(ChunkDamage, {
  name: 'ChunkDamage',
  description: 'What is wrong with a chunk in the store.',
  valuesConfig: {
    ALTERED: { description: 'Its bytes have another hash than when they arrived.' },
    MISSING: { description: 'Its object is gone, or too short.' },
  },
});

@ObjectType({ description: 'A chunk that is not in the store as it arrived.', simpleResolvers: true })
export class DamagedChunk {
  @Field(() => String, {
    description: 'The object of the store: its file below the directory, or its key in the bucket.',
  })
  objectKey!: string;

  @Field(() => ChunkDamage, { description: 'What is wrong.' })
  damage!: ChunkDamage;

  @Field(() => Int, { description: 'Its place in the file, from 0.' })
  chunkIndex!: number;

  @Field(() => Int64, { description: 'Bytes that it must have.' })
  sizeBytes!: string;

  @Field(() => String, {
    nullable: true,
    description: 'SS58 address of the owner; null while the upload is not finalized.',
  })
  ownerAddress!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The folder of the file; empty for files of an object-store gateway.',
  })
  folderHash!: string | null;

  @Field(() => ID, { nullable: true, description: 'The file: hex of its path hash.' })
  fileId!: string | null;

  @Field(() => DateTime, { description: 'When it was found.' })
  foundAt!: Date;

  @Field(() => DateTime, { description: 'When it was last seen to be so.' })
  seenAt!: Date;
}

@ObjectType({
  description: 'What the reading of the whole store, round after round, has found.',
  simpleResolvers: true,
})
export class StorageCheck {
  @Field(() => DateTime, { nullable: true, description: 'When the last round began; null before the first.' })
  beganAt!: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the last round that is over ended; null before the first.',
  })
  endedAt!: Date | null;

  @Field(() => Int, { description: 'Chunks that are damaged now.' })
  damagedCount!: number;

  @Field(() => [DamagedChunk], { description: 'A page of them, the first found first.' })
  damaged!: DamagedChunk[];
}

@ObjectType({ description: 'What one run of the check of the store has done.', simpleResolvers: true })
export class StorageCheckRun {
  @Field(() => Int, { description: 'Chunks that were read.' })
  checkedChunks!: number;

  @Field(() => Int, { description: 'Chunks among them that are damaged.' })
  damagedChunks!: number;

  @Field(() => Boolean, { description: 'Whether the round is over; else the next run goes on.' })
  isOver!: boolean;
}
