import { useClient, useQuery } from 'urql';
import { Button } from '../../../components/forms/button';
import { Card } from '../../../components/card';
import { Time } from '../../../components/format';
import { confirm } from '../../../components/overlays/confirm';
import { showToast } from '../../../components/toasts';
import { QueryView } from '../../../components/query-view';
import { done } from '../../../graphql/done';
import { graphql, type ResultOf } from '../../../graphql/graphql';
import { usePlanContext } from '../use-plan';

const SETUP_KEYS = graphql('{ setupKeys { id name key state expiresAt } }');
const REVOKE = graphql('mutation ($id: Int!) { revokeSetupKey(id: $id) }');

type SetupKey = ResultOf<typeof SETUP_KEYS>['setupKeys'][number];

/** The keys with which machines can still join. Each revision reads them again. */
export function SetupKeys({ revision }: { readonly revision: number }) {
  const query = useQuery({ query: SETUP_KEYS, context: usePlanContext(revision) });
  const [, reload] = query;
  const client = useClient();
  const revoke = async ({ id, name }: SetupKey) => {
    const text = 'The join command of this machine stops working. Its peer stays until you delete it.';
    if (!(await confirm({ title: `Revoke the key of ${name}?`, text, action: 'Revoke the key' }))) return;
    await done(client.mutation(REVOKE, { id }));
    showToast(`The key of ${name} is revoked.`);
    reload({ requestPolicy: 'network-only' });
  };
  return (
    <QueryView query={query}>
      {({ setupKeys }) => <KeysCard keys={setupKeys.filter(({ state }) => state === 'valid')} onRevoke={revoke} />}
    </QueryView>
  );
}

interface KeysCardProps {
  readonly keys: readonly SetupKey[];
  readonly onRevoke: (key: SetupKey) => Promise<void>;
}

function KeysCard({ keys, onRevoke }: KeysCardProps) {
  if (keys.length === 0) return null;
  return (
    <Card title="Setup keys" isFlush>
      <ul className="lines" aria-label="Setup keys">
        {keys.map((key) => (
          <li key={key.id}>
            <div className="grow">
              <strong>{key.name}</strong>
              <p className="muted small">
                <code>{key.key}</code>, expires <Time at={key.expiresAt} />
              </p>
            </div>
            <Button size="small" onPress={() => onRevoke(key)}>
              Revoke<span className="unseen"> the key of {key.name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
