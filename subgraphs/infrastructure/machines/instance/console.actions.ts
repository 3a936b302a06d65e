import { badRequest } from '../../../../kernel/errors.js';
import type { InfrastructureContext } from '../../services.js';
import { hostOf } from './host.actions.js';
import { readInstance } from './instance.actions.js';

/** Maximum KiB of console output in one response. */
const MAX_KIB = 256;

/** The last part of the console output of a user's machine. @throws NOT_FOUND, BAD_REQUEST for the size */
export async function readConsole(
  context: InfrastructureContext,
  { userId, id, kib }: { readonly userId: number; readonly id: string; readonly kib: number },
): Promise<string | null> {
  if (kib < 1 || kib > MAX_KIB) throw badRequest(`\`kib\` must be from 1 to ${MAX_KIB}.`);
  const { uuid } = await readInstance(context.database, userId, id);
  return hostOf(context).console({ uuid, ref: null }, kib * 1024);
}
