import { badRequest } from '../../../../kernel/errors.js';
import type { AccountsRuntime } from '../../services.js';
import { customerOf } from '../customer/customer.actions.js';
import { processorOf } from '../processor/open-processor.js';

/** Opens the page where a user changes cards and subscriptions. @throws BAD_REQUEST for users without a customer record */
export async function openPortal(runtime: AccountsRuntime, userId: number, returnUrl: string): Promise<string> {
  const processor = await processorOf(runtime);
  const customerId = await customerOf(runtime, userId);
  if (customerId === undefined) throw badRequest('You have no customer record yet: create a subscription first.');
  return processor.openPortal(customerId, returnUrl);
}
