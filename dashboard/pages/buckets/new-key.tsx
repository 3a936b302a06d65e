import { useState } from 'react';
import { useClient } from 'urql';
import { Button } from '../../components/forms/button';
import { CopyLine } from '../../components/forms/copy';
import { Dialog } from '../../components/overlays/dialog';
import { Check, SelectField, TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { done } from '../../graphql/done';
import { CREATE_KEY, type AccessKey, type Bucket } from './operations';

const DAY_MS = 86_400_000;

const ENDS: readonly (readonly [days: string, text: string])[] = [
  ['', 'never'],
  ['1', 'in a day'],
  ['7', 'in a week'],
  ['30', 'in 30 days'],
  ['365', 'in a year'],
];

interface KeyInput {
  readonly name: string;
  /** Empty: all buckets. */
  readonly bucket: string;
  readonly mayWrite: boolean;
  readonly prefixes: string;
  readonly addresses: string;
  readonly days: string;
}

const EMPTY_INPUT: KeyInput = { name: '', bucket: '', mayWrite: false, prefixes: '', addresses: '', days: '' };

interface Issued {
  readonly accessKeyId: string;
  readonly secret: string;
}

interface NewKeyDialogProps {
  /** The key that limits the new one; null for none. */
  readonly parent: AccessKey | null;
  readonly buckets: readonly Bucket[];
  readonly onMade: () => void;
  readonly onClose: () => void;
}

/** Makes an access key and shows its secret once. */
export function NewKeyDialog({ parent, buckets, onMade, onClose }: NewKeyDialogProps) {
  const [issued, setIssued] = useState<Issued>();
  const lead = parent ? `It never opens more than ${parent.name}, and ends with it.` : undefined;
  if (issued)
    return (
      <Dialog
        title="Save the secret now"
        lead="It is shown only this once. The operator adds it to the object store before it opens a bucket."
        isOpen
        stays
        onClose={onClose}
      >
        <div className="stack">
          <span className="field-label">Access key</span>
          <CopyLine text={issued.accessKeyId} label="Copy the access key" />
          <span className="field-label">Secret</span>
          <CopyLine text={issued.secret} label="Copy the secret" />
        </div>
        <div className="form-end">
          <Button kind="primary" onPress={onClose}>
            I have it
          </Button>
        </div>
      </Dialog>
    );
  const made = (key: Issued) => {
    setIssued(key);
    onMade();
  };
  return (
    <Dialog title="New access key" {...(lead !== undefined && { lead })} isOpen onClose={onClose}>
      <KeyForm parent={parent} buckets={buckets} onMade={made} onClose={onClose} />
    </Dialog>
  );
}

interface KeyFormProps extends Omit<NewKeyDialogProps, 'onMade'> {
  readonly onMade: (key: Issued) => void;
}

function KeyForm({ parent, buckets, onMade, onClose }: KeyFormProps) {
  const client = useClient();
  const [input, setInput] = useState(EMPTY_INPUT);
  const change = (values: Partial<KeyInput>) => setInput({ ...input, ...values });
  const submit = async () => {
    const { createSubToken } = await done(
      client.mutation(CREATE_KEY, { ...variablesOf(input), parent: parent?.id ?? null }),
    );
    onMade(createSubToken);
  };
  return (
    <Form submit="Create the key" label="New access key" onSubmit={submit} onCancel={onClose}>
      <TextField label="Name" required value={input.name} onChange={({ target }) => change({ name: target.value })} />
      <div className="form-row">
        <SelectField
          label="Bucket"
          options={[['', 'all buckets'], ...buckets.map(({ name }) => [name, name] as const)]}
          value={input.bucket}
          onChange={({ target }) => change({ bucket: target.value })}
        />
        <SelectField
          label="Ends"
          options={ENDS}
          value={input.days}
          onChange={({ target }) => change({ days: target.value })}
        />
      </div>
      <TextField
        label="Only keys that begin with"
        hint="Separate several by commas. Empty: every key."
        value={input.prefixes}
        onChange={({ target }) => change({ prefixes: target.value })}
      />
      <TextField
        label="Only from these addresses"
        hint="For example 192.0.2.7, 10.0.0.0/8. Empty: any address."
        value={input.addresses}
        onChange={({ target }) => change({ addresses: target.value })}
      />
      <Check
        label="May also write and delete"
        checked={input.mayWrite}
        onChange={({ target }) => change({ mayWrite: target.checked })}
      />
    </Form>
  );
}

function variablesOf({ name, bucket, mayWrite, prefixes, addresses, days }: KeyInput) {
  const actions: ('read' | 'write')[] = mayWrite ? ['read', 'write'] : ['read'];
  return {
    name,
    scope: bucket === '' ? ('all_buckets' as const) : ('single_bucket' as const),
    buckets: bucket === '' ? null : [bucket],
    actions,
    prefixes: partsOf(prefixes),
    addresses: partsOf(addresses),
    expiresAt: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
  };
}

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
