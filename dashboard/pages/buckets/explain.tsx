import { useState } from 'react';
import { useClient } from 'urql';
import { Badge } from '../../components/badge';
import { Card } from '../../components/card';
import { SelectField, TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { useAnswer } from '../../components/forms/use-answer';
import { done } from '../../graphql/done';
import { EXPLAIN, type AccessKey, type Bucket, type Explanation } from './operations';

const ACTIONS = [
  ['read', 'read'],
  ['write', 'write'],
] as const;

interface ExplainCardProps {
  readonly buckets: readonly Bucket[];
  /** An answer is about these keys. */
  readonly subTokens: readonly AccessKey[];
}

/** Answers who can read or write an object, and why. */
export function ExplainCard({ buckets, subTokens }: ExplainCardProps) {
  const client = useClient();
  const [bucket, setBucket] = useState(buckets[0]?.name ?? '');
  const [key, setKey] = useState('');
  const [action, setAction] = useState<'read' | 'write'>('read');
  const [address, setAddress] = useState('');
  const { answer, read } = useAnswer<Explanation>([buckets, subTokens, bucket, key, action, address]);
  const explain = () =>
    read(async () => {
      const variables = { bucket, key, action, address: address || null };
      return (await done(client.query(EXPLAIN, variables, { requestPolicy: 'network-only' }))).explainAccess;
    });
  return (
    <Card title="Who can open this object, and why?">
      <Form submit="Explain" label="Who can open this object" onSubmit={explain}>
        <div className="form-row">
          <SelectField
            label="Action"
            options={ACTIONS}
            value={action}
            onChange={({ target }) => setAction(target.value === 'write' ? 'write' : 'read')}
          />
          <SelectField
            label="Bucket"
            options={buckets.map(({ name }) => [name, name])}
            value={bucket}
            onChange={({ target }) => setBucket(target.value)}
          />
          <TextField
            label="Key of the object"
            placeholder="backups/monday.tar"
            required
            value={key}
            onChange={({ target }) => setKey(target.value)}
          />
          <TextField
            label="From address"
            placeholder="any"
            value={address}
            onChange={({ target }) => setAddress(target.value)}
          />
        </div>
      </Form>
      {answer && <Answer {...answer} />}
    </Card>
  );
}

function Answer({ isAllowed, reason, verdicts }: Explanation) {
  return (
    <div className="stack" role="status">
      <p className="row wrap">
        <Badge tone={isAllowed ? 'good' : 'bad'}>{isAllowed ? 'allowed' : 'refused'}</Badge>
        {reason}
      </p>
      <ul className="lines" aria-label="Result for each key">
        {verdicts.map(({ subToken, ...verdict }) => (
          <li key={subToken.id}>
            <Badge tone={verdict.isAllowed ? 'good' : 'plain'}>{verdict.isAllowed ? 'allows' : 'does not'}</Badge>
            <div className="grow stack tight">
              <strong>{subToken.name}</strong>
              <span className="muted small">{verdict.reason}</span>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
