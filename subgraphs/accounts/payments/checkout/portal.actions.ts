import { badRequest } from '../../../../kernel/errors.js';
import type { AccountsRuntime } from '../../services.js';
import { countAttempt } from '../../identity/rate-limit/rate.actions.js';
import { customerOf, withCustomer } from '../customer/customer.actions.js';
import { processorOf } from '../processor/open-processor.js';
import { REPEAT_RATE } from '../transaction/transaction.rules.js';

/** Opens the page where a user changes cards and subscriptions. @throws BAD_REQUEST for users without a customer record, RATE_LIMITED */
export async function openPortal(runtime: AccountsRuntime, userId: number, returnUrl: string): Promise<string> {
  const processor = await processorOf(runtime);
  if ((await customerOf(runtime, userId)) === undefined)
    throw badRequest('You have no customer record yet: create a subscription first.');
  await countAttempt(runtime.database, REPEAT_RATE, String(userId), runtime.now());
  return withCustomer(runtime, userId, (customerId) => processor.openPortal(customerId, returnUrl));
}
