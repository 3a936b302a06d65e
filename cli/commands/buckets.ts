import { Option, type Command } from 'commander';
import { graphql } from '../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../confirm.js';
import { idOf, timeOf, UsageError } from '../failure.js';
import { warn } from '../output.js';
import { run, type Session } from '../session.js';

const BUCKETS = graphql('query { buckets { name createdAt policy { state } } }');
const CREATE = graphql('mutation ($name: String!) { createBucket(name: $name) { name createdAt policy { state } } }');
const REMOVE = graphql('mutation ($name: String!) { deleteBucket(name: $name) }');

const ACCESS = graphql(
  'query { objectStoreAcl { bucket subTokens { id name accessKeyId actions prefixes status expiresAt } } }',
);

const KEYS = graphql(
  'query { subTokens { id name accessKeyId scopeType bucketNames actions allowedPrefixes status expiresAt } }',
);
const REVOKE_KEY = graphql('mutation ($id: Int!) { revokeSubToken(id: $id) { id status } }');
const CREATE_KEY = graphql(`
  mutation (
    $name: String!
    $scope: SubTokenScope!
    $buckets: [String!]
    $actions: [SubTokenAction!]!
    $prefixes: [String!]
    $expires: DateTimeISO
  ) {
    createSubToken(
      name: $name
      scopeType: $scope
      bucketNames: $buckets
      actions: $actions
      allowedPrefixes: $prefixes
      expiresAt: $expires
    ) {
      id
      name
      accessKeyId
      secret
    }
  }
`);

interface KeyOptions {
  readonly bucket?: string;
  readonly access: 'read' | 'write' | 'both';
  readonly prefix?: readonly string[];
  readonly expires?: string;
}

/** Adds `bucket`. */
export function addBuckets(program: Command): void {
  const bucket = program.command('bucket').description('buckets of the object store');
  bucket.command('list').description('list buckets').action(run(listBuckets));
  bucket
    .command('create <name>')
    .description('create a bucket')
    .action(
      run(async ({ client, output }, [name = '']) => {
        const { createBucket } = await client.graphql(CREATE, { name });
        output.done(`created ${createBucket.name}`, createBucket);
        if (createBucket.policy.state === 'unconfigured')
          warn('The platform has no object store: nothing can be stored in the bucket until BLOB_URL names one there.');
      }),
    );
  bucket
    .command('rm <name>')
    .description('delete an empty bucket')
    .option(...YES)
    .action(
      run(async ({ client, output }, [name = ''], { yes }: Confirmed) => {
        const { buckets } = await client.graphql(BUCKETS);
        if (!buckets.some((own) => own.name === name)) throw new UsageError(`There is no bucket "${name}".`);
        await confirm(`Delete the bucket ${name}?`, yes, 'deleted');
        await client.graphql(REMOVE, { name });
        output.done(`deleted ${name}`, { name });
      }),
    );
  bucket.command('access').description('list which keys open each bucket').action(run(listAccess));
  addKeys(bucket);
}

function addKeys(bucket: Command): void {
  const key = bucket.command('key').description('access keys (sub-tokens)');
  key
    .command('create <name>')
    .description('create a key and print its secret, once')
    .option('--bucket <name>', 'bucket that the key opens; default: all')
    .addOption(new Option('--access <kind>', 'what it may do').choices(['read', 'write', 'both']).default('read'))
    .option('--prefix <paths...>', 'only objects whose names start with one of these')
    .option('--expires <time>', 'when it ends: 2027-01-31T00:00:00Z, or 2027-01-31 for its start in UTC')
    .action(run(createKey));
  key.command('list').description('list keys').action(run(listKeys));
  key
    .command('revoke <id>')
    .description('revoke a key and the keys made with it')
    .option(...YES)
    .action(
      run(async ({ client, output }, [word = ''], { yes }: Confirmed) => {
        const id = idOf(word);
        await confirm(`Revoke the key ${id} and the keys made with it?`, yes, 'revoked');
        const { revokeSubToken } = await client.graphql(REVOKE_KEY, { id });
        output.done(`revoked ${id}`, revokeSubToken);
      }),
    );
}

async function listBuckets({ client, output }: Session): Promise<void> {
  const { buckets } = await client.graphql(BUCKETS);
  output.table(buckets, [
    ['name', ({ name }) => name],
    ['created', ({ createdAt }) => createdAt],
    ['policy', ({ policy }) => policy.state],
  ]);
}

async function listAccess({ client, output }: Session): Promise<void> {
  const { objectStoreAcl } = await client.graphql(ACCESS);
  if (output.isJson) return output.json(objectStoreAcl);
  // A bucket that no key opens has a row too.
  const rows = objectStoreAcl.flatMap(({ bucket, subTokens }) =>
    (subTokens.length === 0 ? [null] : subTokens).map((key) => ({ bucket, key })),
  );
  output.table(rows, [
    ['bucket', ({ bucket }) => bucket],
    ['key', ({ key }) => key?.id],
    ['name', ({ key }) => key?.name],
    ['actions', ({ key }) => key?.actions.join(', ')],
    ['prefixes', ({ key }) => key?.prefixes.join(', ')],
    ['status', ({ key }) => key?.status],
  ]);
}

async function createKey({ client, output }: Session, [name = '']: readonly string[], options: KeyOptions) {
  const { bucket, access, prefix, expires } = options;
  const { createSubToken } = await client.graphql(CREATE_KEY, {
    name,
    scope: bucket === undefined ? 'all_buckets' : 'single_bucket',
    buckets: bucket === undefined ? null : [bucket],
    actions: access === 'both' ? ['read', 'write'] : [access],
    prefixes: prefix ? [...prefix] : null,
    expires: expires === undefined ? null : timeOf(expires),
  });
  output.record(createSubToken);
}

async function listKeys({ client, output }: Session): Promise<void> {
  const { subTokens } = await client.graphql(KEYS);
  output.table(subTokens, [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['access key', ({ accessKeyId }) => accessKeyId],
    ['buckets', ({ scopeType, bucketNames }) => (scopeType === 'all_buckets' ? 'all' : bucketNames.join(', '))],
    ['actions', ({ actions }) => actions.join(', ')],
    ['prefixes', ({ allowedPrefixes }) => allowedPrefixes.join(', ')],
    ['status', ({ status }) => status],
  ]);
}
