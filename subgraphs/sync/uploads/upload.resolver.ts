import { Arg, Args, ArgsType, Ctx, Field, ID, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { ByteSource } from '../../../kernel/http/bytes.js';
import { Int64, Upload } from '../../../kernel/scalars.js';
import { ManifestInput } from '../inputs/manifest.js';
import { readManifest } from '../inputs/manifest.rules.js';
import { requireOwner } from '../inputs/owner.rules.js';
import type { SyncContext } from '../services.js';
import { readBudget } from '../usage/quota.actions.js';
import { uploadChunk } from './chunk.actions.js';
import { finalizeUpload } from './finalize.actions.js';
import { readLayout } from './layout.rules.js';
import { deleteSession, openSession, refreshSession } from './session.actions.js';
import { sessionChanges } from './watch.actions.js';
import { DeletedSession, UploadedChunk, UploadSession } from './upload.js';
import { UploadResult } from '../files/file/upload-result.js';

@ArgsType()
class NewSessionArgs {
  @Field(() => ManifestInput, { description: 'The file, signed.' })
  manifest!: ManifestInput;

  @Field(() => Int64, { description: 'How many chunks, at most 65536: `ciphertextSize` by `chunkSize`, at least 1.' })
  chunkCount!: string;

  @Field(() => Int64, { description: 'Bytes of a chunk, at most 16 MiB; the last may be smaller.' })
  chunkSize!: string;

  @Field(() => Int64, { description: 'Bytes of the whole ciphertext, at most 1 TiB.' })
  ciphertextSize!: string;
}

@ArgsType()
class ChunkArgs {
  @Field(() => ID, { description: 'The session.' })
  sessionId!: string;

  @Field(() => Int64, { description: 'The place of the chunk, from 0.' })
  chunkIndex!: string;

  @Field(() => Upload, { description: 'Its bytes, as many as the session says.' })
  bytes!: ByteSource;

  @Field(() => String, {
    nullable: true,
    description: 'BLAKE3 of the chunk, 64 hex digits, where a bad chunk is to be named at once.',
  })
  blake3?: string | null;
}

@Resolver(() => UploadSession)
export class UploadResolver {
  @Query(() => UploadSession, {
    description: 'A session of yours, which lives on for a day from now. Errors: FORBIDDEN for another’s, NOT_FOUND.',
  })
  uploadSession(
    @Arg('sessionId', () => ID, { description: 'The session.' }) sessionId: string,
    @Ctx() context: SyncContext,
  ): Promise<UploadSession> {
    return refreshSession(context, sessionId);
  }

  @Mutation(() => UploadSession, {
    description:
      'Opens a session for a file that comes in chunks, in any order. Errors: BAD_REQUEST, FORBIDDEN for another’s address, PAYMENT_REQUIRED with `balance_cents` and `required_cents`, RATE_LIMITED with 64 open ones.',
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
      'Stores a chunk, in the place of a former one. Errors: BAD_REQUEST, FORBIDDEN, NOT_FOUND, CONFLICT once it is finalized, INTERNAL with the reason storage_inconsistency.',
  })
  uploadChunk(
    @Args(() => ChunkArgs) { blake3, ...chunk }: ChunkArgs,
    @Ctx() context: SyncContext,
  ): Promise<UploadedChunk> {
    return uploadChunk(context, { ...chunk, blake3: blake3 ?? undefined });
  }

  @Mutation(() => UploadResult, {
    description:
      'Writes the file once all chunks are there; a second time it gives the same result. Errors: BAD_REQUEST, FORBIDDEN, NOT_FOUND, CONFLICT with the present revision, PAYMENT_REQUIRED with `balance_cents` and `required_cents`.',
  })
  finalizeUpload(
    @Arg('sessionId', () => ID, { description: 'The session.' }) sessionId: string,
    @Ctx() context: SyncContext,
  ): Promise<UploadResult> {
    return finalizeUpload(context, sessionId);
  }

  @Mutation(() => DeletedSession, {
    description: 'Ends a session with what came for it; a file that is written stays. Safe to repeat. Error FORBIDDEN.',
  })
  async deleteUploadSession(
    @Arg('sessionId', () => ID, { description: 'The session.' }) sessionId: string,
    @Ctx() context: SyncContext,
  ): Promise<DeletedSession> {
    await deleteSession(context, sessionId);
    return { deleted: true };
  }

  @Subscription(() => UploadSession, {
    description:
      'A session of yours as it is, then after each change until it is no more. Errors: FORBIDDEN, NOT_FOUND.',
    subscribe: ({ context, args }: { context: SyncContext; args: Record<string, unknown> }) =>
      sessionChanges(context, String(args.sessionId)),
  })
  uploadSessionChanged(
    @Root() session: UploadSession,
    @Arg('sessionId', () => ID, { description: 'The session.' }) _sessionId: string,
  ): UploadSession {
    return session;
  }
}
