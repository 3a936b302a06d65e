import { badRequest } from '../../../../kernel/errors.js';
import type { InfrastructureContext } from '../../services.js';
import { hostOf } from './host.actions.js';
import { readInstance } from './instance.actions.js';

/** KiB of a console that are shown at once. */
const MAX_KIB = 256;

/** The end of what a machine of the user's wrote to its console. @throws NOT_FOUND, BAD_REQUEST for the size */
export async function readConsole(
  context: InfrastructureContext,
  { userId, id, kib }: { readonly userId: number; readonly id: string; readonly kib: number },
): Promise<string | null> {
  if (kib < 1 || kib > MAX_KIB) throw badRequest(`\`kib\` must be from 1 to ${MAX_KIB}.`);
  const { uuid } = await readInstance(context.database, userId, id);
  return hostOf(context).console({ uuid, ref: null }, kib * 1024);
}
