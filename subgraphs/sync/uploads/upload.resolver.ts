import { Arg, Args, ArgsType, Ctx, Field, ID, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { ByteSource } from '../../../kernel/http/bytes.js';
import { Int64, Upload } from '../../../kernel/scalars/scalars.js';
import { measure } from '../../../kernel/telemetry/metrics.js';
import { ManifestInput } from '../inputs/manifest.js';
import { readManifest } from '../inputs/manifest.rules.js';
import { requireOwner } from '../inputs/owner.rules.js';
import type { SyncContext } from '../services.js';
import { readBudget } from '../usage/quota.actions.js';
import { uploadChunk } from './chunk/chunk.actions.js';
import { finalizeUpload } from './finalize/finalize.actions.js';
import { readLayout } from './session/layout.rules.js';
import { deleteSession, openSession, refreshSession } from './session/session.actions.js';
import { sessionChanges } from './session/watch.actions.js';
import { FINALIZE_SECONDS } from './session/upload-metrics.js';
import { DeletedSession, UploadedChunk, UploadSession } from './session/upload.js';
import { UploadResult } from '../files/file/upload-result.js';

@ArgsType()
class NewSessionArgs {
  @Field(() => ManifestInput, { description: 'Signed manifest of the file.' })
  manifest!: ManifestInput;

  @Field(() => Int64, {
    description: 'Number of chunks: `ciphertextSize` divided by `chunkSize`, rounded up, at least 1; maximum 65536.',
  })
  chunkCount!: string;

  @Field(() => Int64, { description: 'Size of a chunk in bytes, at most 16 MiB; the last chunk may be smaller.' })
  chunkSize!: string;

  @Field(() => Int64, { description: 'Size of the ciphertext in bytes, at most 1 TiB.' })
  ciphertextSize!: string;
}

@ArgsType()
class ChunkArgs {
  @Field(() => ID, { description: 'Id of the upload session.' })
  sessionId!: string;

  @Field(() => Int64, { description: 'Index of the chunk, from 0.' })
  chunkIndex!: string;

  @Field(() => Upload, { description: 'Bytes of the chunk; the length must match the session.' })
  bytes!: ByteSource;

  @Field(() => String, {
    nullable: true,
    description: 'BLAKE3 of the chunk, 64 hex digits; if given, a damaged chunk is refused immediately.',
  })
  blake3?: string | null;
}

@Resolver(() => UploadSession)
export class UploadResolver {
  @Query(() => UploadSession, {
    description:
      'Returns your upload session and extends it to a day from now. Errors: FORBIDDEN for the session of another owner, NOT_FOUND.',
  })
  uploadSession(
    @Arg('sessionId', () => ID, { description: 'Id of the upload session.' }) sessionId: string,
    @Ctx() context: SyncContext,
  ): Promise<UploadSession> {
    return refreshSession(context, sessionId);
  }

  @Mutation(() => UploadSession, {
    description:
      'Opens a session to upload a file in chunks, in any order. If storage has a price, its stored chunks are charged for each whole day on which it is open. Errors: BAD_REQUEST, FORBIDDEN for another owner, PAYMENT_REQUIRED with `balance_cents` and `required_cents`, RATE_LIMITED with 64 open sessions.',
  })
  async openUploadSession(
    @Args(() => NewSessionArgs) { manifest: given, ...sizes }: NewSessionArgs,
    @Ctx() context: SyncContext,
  ): Promise<UploadSession> {
    requireOwner(context.viewer, given.ss58Address);
    const [manifest, layout] = [readManifest(given), readLayout(sizes)];
    return openSession(context, { manifest, layout, budget: await readBudget(context) }, context.now());
  }

  @Mutation(() => UploadedChunk, {
    description:
      'Stores a chunk; replaces a chunk with the same index. Errors: BAD_REQUEST, FORBIDDEN, NOT_FOUND, CONFLICT if the session is finalized, INTERNAL with the reason storage_inconsistency.',
  })
  uploadChunk(
    @Args(() => ChunkArgs) { blake3, ...chunk }: ChunkArgs,
    @Ctx() context: SyncContext,
  ): Promise<UploadedChunk> {
    return uploadChunk(context, { ...chunk, blake3: blake3 ?? undefined });
  }

  @Mutation(() => UploadResult, {
    description:
      'Writes the file when all chunks are stored. A repeated call returns the same result. Errors: BAD_REQUEST, FORBIDDEN, NOT_FOUND, CONFLICT with the current revision, PAYMENT_REQUIRED with `balance_cents` and `required_cents`, INTERNAL with the reason storage_inconsistency.',
  })
  finalizeUpload(
    @Arg('sessionId', () => ID, { description: 'Id of the upload session.' }) sessionId: string,
    @Ctx() context: SyncContext,
  ): Promise<UploadResult> {
    return measure(FINALIZE_SECONDS, [], () => finalizeUpload(context, sessionId));
  }

  @Mutation(() => DeletedSession, {
    description: 'Deletes an upload session and its chunks; a finalized file stays. Safe to repeat. Error FORBIDDEN.',
  })
  async deleteUploadSession(
    @Arg('sessionId', () => ID, { description: 'Id of the upload session.' }) sessionId: string,
    @Ctx() context: SyncContext,
  ): Promise<DeletedSession> {
    await deleteSession(context, sessionId);
    return { deleted: true };
  }

  @Subscription(() => UploadSession, {
    description:
      'The current state of your upload session, then every change until the session ends. Errors: FORBIDDEN, NOT_FOUND.',
    subscribe: ({ context, args }: { context: SyncContext; args: Record<string, unknown> }) =>
      sessionChanges(context, String(args.sessionId)),
  })
  uploadSessionChanged(
    @Root() session: UploadSession,
    @Arg('sessionId', () => ID, { description: 'Id of the upload session.' }) _sessionId: string,
  ): UploadSession {
    return session;
  }
}
