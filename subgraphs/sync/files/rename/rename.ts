import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { ByteArray, UInt64 } from '../../../../kernel/scalars/scalars.js';

@InputType({ description: 'A file and its new path.' })
export class RenameInput {
  @Field(() => ByteArray, { description: '32 bytes: current path hash.' })
  oldPathHash!: Buffer;

  @Field(() => ByteArray, { description: '32 bytes: new path hash.' })
  newPathHash!: Buffer;

  @Field(() => ByteArray, { nullable: true, description: 'New relative path, encrypted; may be empty.' })
  newEncryptedPath?: Buffer | null;

  @Field(() => String, { nullable: true, description: 'New plaintext file name, used for search.' })
  newFileName?: string | null;

  @Field(() => String, { nullable: true, description: 'New plaintext path, used to browse.' })
  newRelativePath?: string | null;

  @Field(() => ByteArray, { nullable: true, description: '32 bytes: id of the current revision.' })
  baseRevisionId?: Buffer | null;
}

@ObjectType({ description: 'A renamed file.', simpleResolvers: true })
export class RenamedFile {
  @Field(() => ByteArray, { description: 'Old path hash.' })
  oldPathHash!: Buffer;

  @Field(() => ByteArray, { description: 'The path hash it has.' })
  newPathHash!: Buffer;

  @Field(() => ByteArray, { description: '32 bytes: id of the new revision.' })
  newRevisionId!: Buffer;

  @Field(() => UInt64, { description: 'Sequence number of the new revision: the old one plus one.' })
  newRevisionSeq!: string;
}

@ObjectType({ description: 'A file that was not renamed.', simpleResolvers: true })
export class UnrenamedFile {
  @Field(() => ByteArray, { description: 'The path hash it has.' })
  oldPathHash!: Buffer;

  @Field(() => String, {
    description:
      'not_found, target_exists, revision_mismatch, or database_error if the sequence number cannot be increased.',
  })
  reason!: 'not_found' | 'target_exists' | 'revision_mismatch' | 'database_error';
}

@ObjectType('Renaming', { description: 'Result of renaming files.', simpleResolvers: true })
export class RenameResult {
  @Field(() => String, { description: '`ok`, even if no file was renamed.' })
  status!: 'ok';

  @Field(() => Int, { description: 'Number of renamed files.' })
  renamedCount!: number;

  @Field(() => [RenamedFile], { description: 'Renamed files.' })
  successes!: RenamedFile[];

  @Field(() => [UnrenamedFile], { description: 'Files that were not renamed.' })
  failures!: UnrenamedFile[];
}

@InputType({ description: 'A file and its path.' })
export class RelativePathInput {
  @Field(() => String, { description: 'File id: path hash, 64 hex digits.' })
  pathHash!: string;

  @Field(() => String, { description: 'Path of the file, segments separated by `/`.' })
  relativePath!: string;
}

@ObjectType({ description: 'A path that was not registered.', simpleResolvers: true })
export class RefusedPath {
  @Field(() => String, { description: 'The value from the request.' })
  pathHash!: string;

  @Field(() => String, { description: 'invalid_path, not_found or path_mismatch.' })
  reason!: 'invalid_path' | 'not_found' | 'path_mismatch';
}

@ObjectType({ description: 'Result of registering paths.', simpleResolvers: true })
export class PathRegistration {
  @Field(() => Int, { description: 'Number of files that have a path now and had none before.' })
  updated!: number;

  @Field(() => Int, { description: 'Number of files that already had this path.' })
  skipped!: number;

  @Field(() => [RefusedPath], { description: 'Paths that were not registered; a path is never overwritten.' })
  errors!: RefusedPath[];
}
