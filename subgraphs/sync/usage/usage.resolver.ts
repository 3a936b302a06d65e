import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/subgraph/context.js';
import { errorCode } from '../../../kernel/errors.js';
import { DateTime, Decimal, UInt64 } from '../../../kernel/scalars/scalars.js';
import { requireRole, type Viewer } from '../../../kernel/security/viewer.js';
import { readFolderHash, requireOwner } from '../inputs/owner.rules.js';
import { MAX_FILE_BYTES } from '../inputs/manifest.rules.js';
import type { SyncContext } from '../services.js';
import { setStoragePrice, storagePrice } from './price.actions.js';
import { readBudget, storedWith } from './quota.actions.js';
import { ciphertextBytes, shortfallOf } from './quota.rules.js';
import { recordStorageUsage } from './record.actions.js';
import { StoragePrice, StorageUsageRun, UploadAllowance } from './usage.js';
import { checkPrice, checkTime } from './usage.rules.js';

@Resolver()
export class UsageResolver {
  @Query(() => UploadAllowance, {
    description: 'Whether a file of this size can be uploaded now. Errors: BAD_REQUEST, FORBIDDEN for another owner.',
  })
  async canUpload(
    @Arg('ownerAddress', () => String, { description: 'SS58 address of the owner.' }) ownerAddress: string,
    @Arg('sizeBytes', () => UInt64, { description: 'Bytes before encryption.' }) sizeBytes: string,
    @Ctx() context: SyncContext,
    @Arg('folderHash', () => String, {
      nullable: true,
      description:
        'Folder hash of the target folder: 16 hex digits. The answer is the same for every folder of the owner.',
    })
    folderHash?: string | null,
  ): Promise<UploadAllowance> {
    requireOwner(context.viewer, ownerAddress);
    if (folderHash) readFolderHash(folderHash);
    if (ciphertextBytes(BigInt(sizeBytes)) > BigInt(MAX_FILE_BYTES))
      return { result: false, error: 'A file can have at most 1 TiB once it is encrypted.' };
    const missing = await missingCredits(context, ownerAddress, BigInt(sizeBytes));
    return missing === undefined ? { result: true, error: null } : { result: false, error: `billing: ${missing}` };
  }

  @Query(() => StoragePrice, { description: 'Current price of storage.' })
  storagePrice(@Ctx() { database }: Context): Promise<StoragePrice> {
    return storagePrice(database);
  }

  @Mutation(() => StoragePrice, {
    description:
      'Sets the price of storage from now on. To upload, an owner needs the credits for a month of all stored files, and for half of what is stored together with the deleted folders that can be restored. Needs the role ADMIN. Error BAD_REQUEST.',
  })
  async adminSetStoragePrice(
    @Arg('creditsPerGibMonth', () => Decimal, {
      nullable: true,
      description: 'Credits per GiB and calendar month, above zero, at most 10^12; null makes storage free.',
    })
    creditsPerGibMonth: string | null,
    @Ctx() { viewer, database, now, log, requestId }: Context,
  ): Promise<StoragePrice> {
    requireRole(viewer, 'ADMIN');
    checkPrice(creditsPerGibMonth);
    const setBy = nameOf(viewer);
    const setting = { creditsPerGibMonth: creditsPerGibMonth ?? null, setBy };
    const { before, price } = await setStoragePrice(database, setting, now());
    const change = { from: before.creditsPerGibMonth, to: price.creditsPerGibMonth };
    log.info({ requestId, setBy, ...change }, 'the price of storage was changed');
    return price;
  }

  @Mutation(() => StorageUsageRun, {
    description:
      'Records the storage usage of past days now instead of within ten minutes after each day ends. Needs the role ADMIN. Errors BAD_REQUEST, UNAVAILABLE.',
  })
  async adminRunStorageUsage(
    @Arg('at', () => DateTime, {
      nullable: true,
      description:
        'Runs as if it were this time, at most 31 days ahead: days before it are closed with the current storage.',
    })
    at: Date | null,
    @Ctx() context: SyncContext,
  ): Promise<StorageUsageRun> {
    requireRole(context.viewer, 'ADMIN');
    const now = context.now();
    return recordStorageUsage(context, checkTime(at ?? now, now));
  }
}

/** The reason why the bytes cannot be stored, as a sentence; also when accounts does not answer. */
async function missingCredits(
  context: SyncContext,
  ownerAddress: string,
  sizeBytes: bigint,
): Promise<string | undefined> {
  try {
    const budget = await readBudget(context);
    if (!budget) return undefined;
    const file = { fileKey: { ownerAddress }, addedBytes: ciphertextBytes(sizeBytes) };
    return shortfallOf(budget, await storedWith(context.database, file, context.now()))?.message;
  } catch (error) {
    // Always answered with 200.
    if (errorCode(error) !== 'UNAVAILABLE') throw error;
    return 'the balance is temporarily unavailable; try again.';
  }
}

function nameOf(viewer: Viewer): string {
  if (viewer.kind === 'user') return `user ${viewer.userId} ${viewer.username}`;
  return viewer.kind === 'service' ? `service ${viewer.name}` : viewer.kind;
}
