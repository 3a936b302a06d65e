import { Scale } from 'lucide-react';
import { useClient } from 'urql';
import { Button } from '../../components/forms/button';
import { showToast } from '../../components/overlays/toasts';
import { done } from '../../graphql/done';
import { graphql } from '../../graphql/graphql';

const PROVE = graphql('mutation { adminProveLedger }');
const PROVED_AT = graphql('{ ledgerProof { provedAt } }');

/** Milliseconds between two polls of the result. */
const PAUSE_MS = 1_000;

/** Polls after which the button no longer waits; a large ledger takes minutes. */
const MAX_POLLS = 60;

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
    for (let polls = 0; polls < MAX_POLLS; polls += 1) {
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
