import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { ByteArray, UInt64 } from '../../../../kernel/scalars.js';

@InputType({ description: 'A file and the path it is to have.' })
export class RenameInput {
  @Field(() => ByteArray, { description: '32 bytes: the path hash it has.' })
  oldPathHash!: Buffer;

  @Field(() => ByteArray, { description: '32 bytes: the path hash it is to have.' })
  newPathHash!: Buffer;

  @Field(() => ByteArray, { nullable: true, description: 'The new path, encrypted; may be empty.' })
  newEncryptedPath?: Buffer | null;

  @Field(() => String, { nullable: true, description: 'The new name, for searching.' })
  newFileName?: string | null;

  @Field(() => String, { nullable: true, description: 'The new path, for browsing.' })
  newRelativePath?: string | null;

  @Field(() => ByteArray, { nullable: true, description: '32 bytes: the revision it is at.' })
  baseRevisionId?: Buffer | null;
}

@ObjectType({ description: 'A file that was renamed.', simpleResolvers: true })
export class RenamedFile {
  @Field(() => ByteArray, { description: 'The path hash it had.' })
  oldPathHash!: Buffer;

  @Field(() => ByteArray, { description: 'The path hash it has.' })
  newPathHash!: Buffer;

  @Field(() => ByteArray, { description: '32 bytes that name its new revision.' })
  newRevisionId!: Buffer;

  @Field(() => UInt64, { description: 'One more than before.' })
  newRevisionSeq!: string;
}

@ObjectType({ description: 'A file that was not renamed.', simpleResolvers: true })
export class UnrenamedFile {
  @Field(() => ByteArray, { description: 'The path hash it has.' })
  oldPathHash!: Buffer;

  @Field(() => String, {
    description: 'not_found, target_exists, revision_mismatch, or database_error where no revision can follow.',
  })
  reason!: 'not_found' | 'target_exists' | 'revision_mismatch' | 'database_error';
}

@ObjectType({ description: 'What became of files that were to be renamed.', simpleResolvers: true })
export class Renaming {
  @Field(() => String, { description: '`ok`, also when none was renamed.' })
  status!: 'ok';

  @Field(() => Int, { description: 'Files that were renamed.' })
  renamedCount!: number;

  @Field(() => [RenamedFile], { description: 'These.' })
  successes!: RenamedFile[];

  @Field(() => [UnrenamedFile], { description: 'The others.' })
  failures!: UnrenamedFile[];
}

@InputType({ description: 'A file and its path.' })
export class RelativePathInput {
  @Field(() => String, { description: 'Its path hash, 64 hex digits.' })
  pathHash!: string;

  @Field(() => String, { description: 'Its path, with `/` between the parts.' })
  relativePath!: string;
}

@ObjectType({ description: 'A path that was not taken.', simpleResolvers: true })
export class RefusedPath {
  @Field(() => String, { description: 'As it was sent.' })
  pathHash!: string;

  @Field(() => String, { description: 'invalid_path, not_found or path_mismatch.' })
  reason!: 'invalid_path' | 'not_found' | 'path_mismatch';
}

@ObjectType({ description: 'What became of paths that were to be registered.', simpleResolvers: true })
export class PathRegistration {
  @Field(() => Int, { description: 'Files that have a path now and had none before.' })
  updated!: number;

  @Field(() => Int, { description: 'Files that had this path already.' })
  skipped!: number;

  @Field(() => [RefusedPath], { description: 'The others; a path is never overwritten.' })
  errors!: RefusedPath[];
}
