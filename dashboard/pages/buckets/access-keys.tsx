import { KeyRound, Plus } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useClient } from 'urql';
import { Badge, type Tone } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { confirm } from '../../components/overlays/confirm';
import { Check } from '../../components/forms/fields';
import { Time } from '../../components/format';
import { Empty } from '../../components/states';
import { showToast } from '../../components/toasts';
import { done } from '../../graphql/done';
import { branchesOf } from './key-tree';
import { NewKeyDialog } from './new-key';
import { REVOKE_KEY, type AccessKey, type Bucket } from './operations';

const TONES: Readonly<Record<AccessKey['status'], Tone>> = {
  active: 'good',
  disabled: 'plain',
  expired: 'plain',
  revoked: 'bad',
};

const KEY_NOTE =
  'A key opens a bucket once the operator has added it to the object store. When a key was last used is not known here: programs send their requests to the object store itself.';

interface AccessKeysProps {
  readonly keys: readonly AccessKey[];
  readonly buckets: readonly Bucket[];
  readonly onChange: () => void;
}

/** The access keys as a tree: a key that was made from another one never opens more than that. */
export function AccessKeys({ keys, buckets, onChange }: AccessKeysProps) {
  const [parent, setParent] = useState<AccessKey | null>();
  const [showsEnded, setShowsEnded] = useState(false);
  const client = useClient();
  const shown = keys.filter(({ status }) => showsEnded || status === 'active' || status === 'disabled');
  const revoke = async ({ id, name }: AccessKey) => {
    const text = 'Whatever uses it, or a key made from it, is refused at once.';
    if (!(await confirm({ title: `Revoke ${name}?`, text, action: 'Revoke the key' }))) return;
    await done(client.mutation(REVOKE_KEY, { id }));
    showToast(`${name} is revoked.`);
    onChange();
  };
  const actions = (
    <>
      {keys.length > 0 && (
        <Check label="Show inactive" checked={showsEnded} onChange={({ target }) => setShowsEnded(target.checked)} />
      )}
      <Button size="small" icon={Plus} onPress={() => setParent(null)}>
        New key
      </Button>
    </>
  );
  return (
    <Card title="Access keys" isFlush actions={actions}>
      {shown.length === 0 && (
        <Empty icon={KeyRound} title="No access keys">
          Programs sign in to the store with an access key. Limit it to a bucket, to prefixes and to addresses.
        </Empty>
      )}
      {shown.length > 0 && <p className="muted small key-note">{KEY_NOTE}</p>}
      <ul className="lines" aria-label="Access keys">
        {branchesOf(shown).map(({ key, depth }) => (
          <KeyLine
            key={key.id}
            accessKey={key}
            depth={depth}
            onAdd={() => setParent(key)}
            onRevoke={() => revoke(key)}
          />
        ))}
      </ul>
      {parent !== undefined && (
        <NewKeyDialog parent={parent} buckets={buckets} onMade={onChange} onClose={() => setParent(undefined)} />
      )}
    </Card>
  );
}

interface KeyLineProps {
  readonly accessKey: AccessKey;
  readonly depth: number;
  readonly onAdd: () => void;
  readonly onRevoke: () => Promise<void>;
}

function KeyLine({ accessKey, depth, onAdd, onRevoke }: KeyLineProps) {
  const { name, accessKeyId, status } = accessKey;
  return (
    <li className={depth > 0 ? 'key-line child' : 'key-line'} style={{ marginLeft: `calc(${depth} * var(--s5))` }}>
      <div className="grow stack tight">
        <span className="row wrap">
          <strong>{name}</strong>
          <Badge tone={TONES[status]}>{status}</Badge>
          <code className="muted">{accessKeyId}</code>
        </span>
        <span className="muted small">
          {limitsOf(accessKey, depth > 0)}
          {timesOf(accessKey).map(([words, at]) => (
            <Fragment key={words}>
              {` · ${words} `}
              <Time at={at} />
            </Fragment>
          ))}
        </span>
      </div>
      <span className="key-buttons">
        {status === 'active' && (
          <Button size="small" onPress={onAdd}>
            Child key
          </Button>
        )}
        {status !== 'revoked' && (
          <Button size="small" onPress={onRevoke}>
            Revoke
          </Button>
        )}
      </span>
    </li>
  );
}

/** @param isChild whether the limits of a parent apply, too */
function limitsOf(key: AccessKey, isChild: boolean): string {
  const { actions, scopeType, bucketNames, allowedPrefixes, ipAllowlist } = key;
  const everywhere = isChild ? 'all buckets of the key above' : 'all buckets';
  const where = scopeType === 'all_buckets' ? everywhere : bucketNames.join(', ');
  return [
    `${actions.join(' and ')} in ${where}`,
    allowedPrefixes.length > 0 && `keys that begin with ${allowedPrefixes.join(', ')}`,
    ipAllowlist.length > 0 && `from ${ipAllowlist.join(', ')}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** What is known of the time of a key. */
function timesOf({ status, createdAt, notBefore, expiresAt, revokedAt }: AccessKey) {
  const times = [
    ['created', createdAt],
    ['valid from', notBefore],
    [status === 'expired' ? 'ended' : 'ends', expiresAt],
    ['revoked', revokedAt],
  ] as const;
  return times.flatMap(([words, at]) => (at === null ? [] : [[words, at] as const]));
}
