import { Archive, Plus } from 'lucide-react';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { Status, type Tone } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { confirm } from '../../components/overlays/confirm';
import { Dialog } from '../../components/overlays/dialog';
import { TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { Time } from '../../components/format';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { showToast } from '../../components/toasts';
import { done } from '../../graphql/done';
import { AccessKeys } from './access-keys';
import './buckets.css';
import { ExplainCard } from './explain';
import { CHECK_BUCKET, CREATE_BUCKET, DELETE_BUCKET, RESTORE_BUCKET, STORE, type Bucket } from './operations';

/** The buckets of the user, the keys that open them, and why a key may or may not. */
export function BucketsPage() {
  const query = useQuery({ query: STORE, requestPolicy: 'cache-and-network' });
  const [isMaking, setMaking] = useState(false);
  const [{ data }] = query;
  const reload = () => query[1]({ requestPolicy: 'network-only' });
  return (
    <Page
      title="Buckets"
      lead="Object storage over S3, and access keys that open only what you choose."
      actions={
        data?.hasObjectStore && (
          <Button kind="primary" icon={Plus} onPress={() => setMaking(true)}>
            New bucket
          </Button>
        )
      }
    >
      <QueryView query={query}>
        {({ hasObjectStore, buckets, subTokens }) => (
          <>
            {!hasObjectStore && <NoStore />}
            {(hasObjectStore || buckets.length > 0 || subTokens.length > 0) && (
              <>
                <BucketTable buckets={buckets} onChange={reload} />
                <AccessKeys keys={subTokens} buckets={buckets} onChange={reload} />
              </>
            )}
            {buckets.length > 0 && <ExplainCard buckets={buckets} subTokens={subTokens} />}
          </>
        )}
      </QueryView>
      {isMaking && <NewBucketDialog onMade={reload} onClose={() => setMaking(false)} />}
    </Page>
  );
}

/** Why buckets cannot be used, and who can change that. */
function NoStore() {
  return (
    <Card isFlush>
      <Empty icon={Archive} title="No object store is configured">
        Buckets are kept in an S3-compatible store. The operator of the platform sets <code>BLOB_URL</code> to one, such
        as <code>s3://bucket?endpoint=https://s3.example</code>; the files of the platform are then kept there, too.
      </Empty>
    </Card>
  );
}

const TONES: Readonly<Record<Bucket['policy']['state'], readonly [tone: Tone, words: string]>> = {
  in_sync: ['good', 'in force'],
  pending: ['info', 'being applied'],
  unconfigured: ['hollow', 'no store configured'],
  drifted: ['warn', 'changed in the store'],
  missing: ['warn', 'missing in the store'],
  refused: ['bad', 'refused by the store'],
  unreachable: ['bad', 'store cannot be reached'],
};

function BucketTable({ buckets, onChange }: { readonly buckets: readonly Bucket[]; readonly onChange: () => void }) {
  const client = useClient();
  const check = async ({ name }: Bucket) => {
    await done(client.mutation(CHECK_BUCKET, { name }));
    onChange();
  };
  const restore = async ({ name, policy }: Bucket) => {
    const text = 'Somebody changed the statements of your access keys in the store. They are overwritten; others stay.';
    const question = { title: `Overwrite the policy of ${name}?`, text, action: 'Overwrite it' };
    if (policy.state === 'drifted' && !(await confirm(question))) return;
    await done(client.mutation(RESTORE_BUCKET, { name }));
    showToast(`The policy of ${name} is written again.`);
    onChange();
  };
  const remove = async ({ name }: Bucket) => {
    const text = 'It must be empty, and no access key may name it.';
    if (!(await confirm({ title: `Delete ${name}?`, text, action: 'Delete the bucket' }))) return;
    await done(client.mutation(DELETE_BUCKET, { name }));
    showToast(`${name} is deleted.`);
    onChange();
  };
  return (
    <Card title="Buckets" isFlush>
      <Table
        label="Buckets"
        columns={columnsOf({ check, restore, remove })}
        rows={buckets}
        rowId={({ name }) => name}
        empty={
          <Empty icon={Archive} title="No buckets yet">
            A bucket keeps objects under keys such as backups/monday.tar. Create one, then an access key for the program
            that uses it.
          </Empty>
        }
      />
    </Card>
  );
}

interface BucketActions {
  readonly check: (bucket: Bucket) => Promise<void>;
  readonly restore: (bucket: Bucket) => Promise<void>;
  readonly remove: (bucket: Bucket) => Promise<void>;
}

function columnsOf({ check, restore, remove }: BucketActions): readonly Column<Bucket>[] {
  return [
    { id: 'name', title: 'Name', value: ({ name }) => name, cell: ({ name }) => <strong>{name}</strong> },
    {
      id: 'policy',
      title: 'Access policy',
      value: ({ policy }) => policy.state,
      cell: ({ policy: { state, fault } }) => (
        <span title={fault ?? undefined}>
          <Status tone={TONES[state][0]}>{TONES[state][1]}</Status>
        </span>
      ),
    },
    {
      id: 'created',
      title: 'Created',
      value: ({ createdAt }) => createdAt,
      cell: (row) => <Time at={row.createdAt} />,
    },
    {
      id: 'actions',
      title: 'Actions',
      hidesTitle: true,
      isAtEnd: true,
      cell: (bucket) => (
        <span className="row end">
          <Button size="small" onPress={() => (isBroken(bucket) ? restore(bucket) : check(bucket))}>
            {isBroken(bucket) ? 'Mend' : 'Check'}
          </Button>
          <Button size="small" onPress={() => remove(bucket)}>
            Delete
          </Button>
        </span>
      ),
    },
  ];
}

function isBroken({ policy: { state } }: Bucket): boolean {
  return state === 'drifted' || state === 'missing' || state === 'refused';
}

function NewBucketDialog({ onMade, onClose }: { readonly onMade: () => void; readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const client = useClient();
  const submit = async () => {
    await done(client.mutation(CREATE_BUCKET, { name }));
    onMade();
    onClose();
  };
  return (
    <Dialog title="New bucket" isOpen onClose={onClose}>
      <Form submit="Create the bucket" label="New bucket" onSubmit={submit} onCancel={onClose}>
        <TextField
          label="Name"
          hint="Small letters, digits and hyphens. Nobody else can have the same name."
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Form>
    </Dialog>
  );
}
