import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/subgraph/context.js';
import { errorCode } from '../../../kernel/errors.js';
import { DateTime, Decimal, UInt64 } from '../../../kernel/scalars.js';
import { requireRole, type Viewer } from '../../../kernel/viewer.js';
import { readFolderHash, requireOwner } from '../inputs/owner.rules.js';
import { MAX_FILE_BYTES } from '../inputs/manifest.rules.js';
import type { SyncContext } from '../services.js';
import { setStoragePrice, storagePrice } from './price.actions.js';
import { readBudget, storedBeside } from './quota.actions.js';
import { ciphertextBytes, shortfallOf } from './quota.rules.js';
import { recordStorageUsage } from './record.actions.js';
import { StoragePrice, StorageUsageRun, UploadAllowance } from './usage.js';
import { checkPrice, checkTime } from './usage.rules.js';

@Resolver()
export class UsageResolver {
  @Query(() => UploadAllowance, {
    description: 'Whether a file of this size could be uploaded now. Errors: BAD_REQUEST, FORBIDDEN for another’s.',
  })
  async canUpload(
    @Arg('ownerAddress', () => String, { description: 'SS58 address of the owner.' }) ownerAddress: string,
    @Arg('sizeBytes', () => UInt64, { description: 'Bytes before encryption.' }) sizeBytes: string,
    @Ctx() context: SyncContext,
    @Arg('folderHash', () => String, { nullable: true, description: 'The folder it is for.' })
    folderHash?: string | null,
  ): Promise<UploadAllowance> {
    requireOwner(context.viewer, ownerAddress);
    if (folderHash) readFolderHash(folderHash);
    if (BigInt(sizeBytes) > BigInt(MAX_FILE_BYTES)) return { result: false, error: 'A file has at most 1 TiB.' };
    const missing = await missingCredits(context, ownerAddress, BigInt(sizeBytes));
    return missing === undefined ? { result: true, error: null } : { result: false, error: `billing: ${missing}` };
  }

  @Query(() => StoragePrice, { description: 'What storage costs now.' })
  storagePrice(@Ctx() { database }: Context): Promise<StoragePrice> {
    return storagePrice(database);
  }

  @Mutation(() => StoragePrice, {
    description:
      'Sets what storage costs from now on. Who uploads must be able to pay a month of all they store. Needs the role ADMIN. Error BAD_REQUEST.',
  })
  async adminSetStoragePrice(
    @Arg('creditsPerGibMonth', () => Decimal, {
      nullable: true,
      description: 'Credits for a GiB in a calendar month, above zero, at most 10^12; null: storage is free.',
    })
    creditsPerGibMonth: string | null,
    @Ctx() { viewer, database, now, log, requestId }: Context,
  ): Promise<StoragePrice> {
    requireRole(viewer, 'ADMIN');
    checkPrice(creditsPerGibMonth);
    const setBy = nameOf(viewer);
    const before = await storagePrice(database);
    const price = await setStoragePrice(database, { creditsPerGibMonth: creditsPerGibMonth ?? null, setBy }, now());
    const change = { from: before.creditsPerGibMonth, to: price.creditsPerGibMonth };
    log.info({ requestId, setBy, ...change }, 'the price of storage was changed');
    return price;
  }

  @Mutation(() => StorageUsageRun, {
    description:
      'Records the storage of past days now instead of within ten minutes after they end. Needs the role ADMIN. Errors BAD_REQUEST, UNAVAILABLE.',
  })
  async adminRunStorageUsage(
    @Arg('at', () => DateTime, {
      nullable: true,
      description:
        'As if it were then, at most 31 days ahead: days that still go on are closed with what is stored now.',
    })
    at: Date | null,
    @Ctx() context: SyncContext,
  ): Promise<StorageUsageRun> {
    requireRole(context.viewer, 'ADMIN');
    const now = context.now();
    return recordStorageUsage(context, checkTime(at ?? now, now));
  }
}

/** What is missing to store so much more, in a sentence; that accounts gives no answer, too. */
async function missingCredits(
  context: SyncContext,
  ownerAddress: string,
  sizeBytes: bigint,
): Promise<string | undefined> {
  try {
    const budget = await readBudget(context);
    if (!budget) return undefined;
    const stored = await storedBeside(context.database, { ownerAddress }, context.now());
    return shortfallOf(budget, stored + ciphertextBytes(sizeBytes))?.message;
  } catch (error) {
    // Answered with 200 whatever happens. Source: client facts, 4.5
    if (errorCode(error) !== 'UNAVAILABLE') throw error;
    return 'the balance is not known just now; try again.';
  }
}

function nameOf(viewer: Viewer): string {
  if (viewer.kind === 'user') return `user ${viewer.userId} ${viewer.username}`;
  return viewer.kind === 'service' ? `service ${viewer.name}` : viewer.kind;
}
