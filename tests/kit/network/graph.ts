import { call, type Json } from '../platform.js';
import type { SignedIn } from '../accounts/wallet.js';

/** Creates a group. Returns its id. */
export async function groupOf({ token }: SignedIn, label: string): Promise<number> {
  const { body } = await call('POST /api/network/groups/', { token, body: { label } });
  return body.id;
}

/** Enrolls a peer. Returns its id. @param input fields of the mutation, e.g. `group` */
export async function peerOf({ token }: SignedIn, input: object = {}): Promise<number> {
  const { body } = await call('POST /api/network/peers/enroll/', { token, body: input });
  return body.peer;
}

/** Creates a network. Returns its id. */
export async function networkOf({ token }: SignedIn, name: string): Promise<number> {
  const { body } = await call('POST /api/network/networks/', { token, body: { name } });
  return body.id;
}

/** Returns the summary of the network of the user. */
export async function tenantOf({ token }: SignedIn): Promise<Json> {
  return (await call('GET /api/network/me/', { token })).body;
}
