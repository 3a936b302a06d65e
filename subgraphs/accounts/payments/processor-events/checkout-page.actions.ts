import { errorCode } from '../../../../kernel/errors.js';
import type { ProcessorEventData } from '../processor/processor-event-data.js';
import { processorOf } from '../processor/open-processor.js';
import type { AccountsRuntime } from '../../services.js';
import { learn } from './event.actions.js';

/** A hosted page of ours, and what the processor calls it once its opening is confirmed. */
export interface AskedPage {
  readonly id: string;
  readonly sessionId: string | null;
}

/**
 * Asks the processor what became of a page and lets it take effect: what was paid is granted, once. A page that it does
 * not know is closed. @throws UNAVAILABLE
 */
export async function followPage(runtime: AccountsRuntime, { id, sessionId }: AskedPage): Promise<void> {
  const processor = await processorOf(runtime);
  let isKnown = false;
  if (sessionId !== null) {
    await learn(runtime, async () => {
      const facts = await known(processor.factsOfCheckout(sessionId));
      isKnown = facts.length > 0;
      return facts;
    });
  }
  if (!isKnown) await expire(runtime, id);
}

/** What the processor knows; nothing where it knows no such thing. */
export async function known(facts: Promise<ProcessorEventData[]>): Promise<ProcessorEventData[]> {
  try {
    return await facts;
  } catch (error) {
    if (errorCode(error) === 'BAD_REQUEST') return [];
    throw error;
  }
}

/** A page that the processor does not know, or whose opening was never confirmed and whose address nobody was given. */
function expire({ database, now }: AccountsRuntime, id: string) {
  return database.change((change) =>
    change.execute(
      `WITH closed AS (UPDATE accounts.checkout SET status = 'expired' WHERE id = $1 AND status IN ('opening', 'open')
                       RETURNING transaction_id)
       UPDATE accounts.transaction t SET status = 'expired', updated_at = $2
         FROM closed WHERE t.id = closed.transaction_id AND t.status = 'pending'`,
      [id, now()],
    ),
  );
}
