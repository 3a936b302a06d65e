import { Scale } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useClient } from 'urql';
import { Button } from '../../../components/forms/button';
import { showToast } from '../../../components/toasts';
import { done } from '../../../graphql/done';
import { graphql } from '../../../graphql/graphql';
import { isPassing } from '../../../graphql/refusal';

const PROVE = graphql('mutation { adminProveLedger }');
const PROVED_AT = graphql('{ ledgerProof { provedAt } }');

/** Milliseconds between two polls of the result. */
const PAUSE_MS = 1_000;

/** Polls after which the button no longer waits; a large ledger takes minutes. */
const MAX_POLLS = 60;

/** Has the ledger checked now, and waits for the result while the page is shown. */
export function ProveNowButton({ onProved }: { readonly onProved: () => void }) {
  const client = useClient();
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  const provedAt = async () => {
    const answer = await done(client.query(PROVED_AT, {}, { requestPolicy: 'network-only' }));
    return answer.ledgerProof?.provedAt;
  };
  const prove = async () => {
    const before = await provedAt();
    await done(client.mutation(PROVE, {}));
    for (let polls = 0; polls < MAX_POLLS; polls += 1) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (!isShown.current) return;
      // The check goes on when an answer is lost.
      const present = await provedAt().catch((error: unknown) => {
        if (!isPassing(error)) throw error;
        return before;
      });
      if (!isShown.current) return;
      if (present === before) continue;
      onProved();
      showToast('The ledger is checked.');
      return;
    }
    showToast('The ledger is still being checked. Look here again later.');
  };
  return (
    <Button icon={Scale} onPress={prove}>
      Prove now
    </Button>
  );
}
