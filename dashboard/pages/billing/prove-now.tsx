import { Scale } from 'lucide-react';
import { useClient } from 'urql';
import { Button } from '../../components/forms/button';
import { showToast } from '../../components/overlays/toasts';
import { done } from '../../graphql/done';
import { graphql } from '../../graphql/graphql';

const PROVE = graphql('mutation { adminProveLedger }');
const PROVED_AT = graphql('{ ledgerProof { provedAt } }');

/** Milliseconds between two looks for the result. */
const PAUSE_MS = 1_000;

/** Looks after which the button no longer waits; a large ledger takes minutes. */
const MAX_LOOKS = 60;

/** Has the ledger checked now, and waits for the result. */
export function ProveNowButton({ onProved }: { readonly onProved: () => void }) {
  const client = useClient();
  const provedAt = async () => {
    const answer = await done(client.query(PROVED_AT, {}, { requestPolicy: 'network-only' }));
    return answer.ledgerProof?.provedAt;
  };
  const prove = async () => {
    const before = await provedAt();
    await done(client.mutation(PROVE, {}));
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if ((await provedAt()) !== before) return onProved();
    }
    showToast('The ledger is still being checked. Look here again later.');
  };
  return (
    <Button icon={Scale} onPress={prove}>
      Prove now
    </Button>
  );
}
