import type { Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { countOf } from '../../failure.js';
import { counted } from '../../output.js';
import { rowsUpTo } from '../../pages.js';
import { run, type Session } from '../../session.js';

const STATE = graphql('query { adminStorageCheck { beganAt endedAt damagedCount } }');
const DAMAGED = graphql(`
  query ($offset: Int!, $limit: Int!) {
    adminStorageCheck(offset: $offset, limit: $limit) {
      damagedCount
      damaged {
        objectKey
        damage
        ownerAddress
        folderHash
        fileId
        chunkIndex
        sizeBytes
        foundAt
        seenAt
      }
    }
  }
`);
const CHECK = graphql('mutation { adminRunStorageCheck { checkedChunks damagedChunks isOver } }');
const CLEAN = graphql(
  'mutation { adminRunStorageCollection { expiredSessions purgedFiles orphanObjects collectedObjects } }',
);
const RECORD_USAGE = graphql('mutation { adminRunStorageUsage { closedDays recorded skipped } }');

/** Adds `admin storage`. */
export function addStorage(admin: Command): void {
  const storage = admin.command('storage').description('stored files of all users');
  storage
    .command('damaged')
    .description('list damaged chunks, oldest finding first, and when the last storage check began and ended')
    .option('-n, --limit <count>', 'maximum number of chunks', '100')
    .action(run(listDamaged));
  storage
    .command('check')
    .description('continue the storage check for a few seconds; exit status 1 if it finds damage')
    .action(run(checkStorage));
  storage
    .command('clean')
    .description('remove expired uploads, purged folders and unreferenced objects now; scheduled jobs normally do')
    .option(...YES)
    .action(run(cleanStorage));
  storage
    .command('record-usage')
    .description('record and charge the storage of past days now, instead of within ten minutes')
    .action(run(recordUsage));
}

async function listDamaged(
  { client, output }: Session,
  _args: readonly string[],
  { limit }: { readonly limit: string },
): Promise<void> {
  const damaged = await rowsUpTo({
    limit: countOf(limit),
    option: '--limit',
    read: async (size, offset: number | undefined = 0) => {
      const { adminStorageCheck: check } = await client.graphql(DAMAGED, { offset, limit: size });
      const end = offset + size;
      return { rows: check.damaged, total: check.damagedCount, next: end < check.damagedCount ? end : null };
    },
  });
  const { adminStorageCheck } = await client.graphql(STATE);
  if (output.isJson) return output.json({ ...adminStorageCheck, damaged });
  output.record(adminStorageCheck);
  output.table(damaged, [
    ['object', ({ objectKey }) => objectKey],
    ['damage', ({ damage }) => damage],
    ['owner', ({ ownerAddress }) => ownerAddress],
    ['file', ({ fileId }) => fileId],
    ['chunk', ({ chunkIndex }) => chunkIndex],
    ['found', ({ foundAt }) => foundAt],
  ]);
}

async function checkStorage({ client, output }: Session): Promise<void> {
  const { adminRunStorageCheck } = await client.graphql(CHECK);
  const { checkedChunks, damagedChunks, isOver } = adminRunStorageCheck;
  const read = counted(checkedChunks, 'chunk was read', 'chunks were read');
  const rest = isOver ? 'the round is complete' : 'the next run continues';
  output.done(`${read}, ${counted(damagedChunks, 'is', 'are')} damaged; ${rest}`, adminRunStorageCheck);
  if (damagedChunks > 0) process.exitCode = 1;
}

async function cleanStorage({ client, output }: Session, _args: readonly string[], { yes }: Confirmed): Promise<void> {
  await confirm('Permanently delete expired uploads, purged folders and unreferenced objects?', yes, 'removed');
  output.record((await client.graphql(CLEAN)).adminRunStorageCollection);
}

async function recordUsage({ client, output }: Session): Promise<void> {
  output.record((await client.graphql(RECORD_USAGE)).adminRunStorageUsage);
}
