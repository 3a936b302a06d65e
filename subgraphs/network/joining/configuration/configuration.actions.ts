import { hashToken } from '../../../../kernel/security/credentials.js';
import { unavailable } from '../../../../kernel/errors.js';
import { peerOfToken, seePeer } from '../join/join.actions.js';
import type { NetworkContext } from '../../services.js';
import type { StoredConfiguration } from './configuration.js';
import { isCertificateDue } from '../../certificates/certificate/renewal.rules.js';
import type { TenantConfigurations } from './configurations.js';
import { renewCertificate, type Machine } from './machine.actions.js';

/** Time-out for the first certificate and configuration, in milliseconds. */
const FIRST_TIMEOUT_MS = 15_000;

interface Question {
  readonly token: string;
  /** The hash of the configuration that the machine has; undefined: none. */
  readonly known: string | undefined;
  /** Maximum wait for a change, from the request on; 0: no wait. */
  readonly waitMs: number;
}

/**
 * Returns the configuration of the machine: at once if it differs from the known one, else after a change or the time-out.
 * Meanwhile its certificate is renewed if that is due.
 * @throws UNAUTHENTICATED for an invalid token or a deleted peer, UNAVAILABLE
 */
export function awaitConfiguration(context: NetworkContext, question: Question): Promise<StoredConfiguration> {
  return context.services.configurationRequests.take(hashToken(question.token), () =>
    findConfiguration(context, question),
  );
}

async function findConfiguration(
  { database, services, events, now, log, signal }: NetworkContext,
  { token, known, waitMs }: Question,
): Promise<StoredConfiguration> {
  const startedMs = now().getTime();
  const peer = await peerOfToken(database, token);
  await seePeer(database, peer, now());
  const [tokenHash, stop] = [hashToken(token), new AbortController()];
  const stopAfter = (ms: number) => setTimeout(() => stop.abort(), ms);
  let timer = stopAfter(FIRST_TIMEOUT_MS);
  let newest: StoredConfiguration | undefined;
  try {
    const stopped = AbortSignal.any([signal, stop.signal]);
    for await (const made of services.configurations.follow({ database, events, now, log }, peer.tenantId, stopped)) {
      const machine = made.machines.get(peer.id);
      if (machine?.tokenHash !== tokenHash) {
        // Made before the machine joined at another process, or the peer is gone.
        await peerOfToken(database, token);
        continue;
      }
      const next = await certified({ database, services, now }, made, machine);
      if (!next) continue;
      if (next.hash !== known || waitMs === 0) return next;
      if (!newest) {
        clearTimeout(timer);
        // The clock may go back meanwhile.
        const elapsedMs = Math.max(0, now().getTime() - startedMs);
        timer = stopAfter(Math.max(0, waitMs - elapsedMs));
      }
      newest = next;
    }
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
  if (!newest) throw unavailable('The configuration is not ready yet; try again.');
  return newest;
}

/** The machine's configuration; undefined while it is rebuilt after a certificate renewal. */
async function certified(
  { database, services, now }: Pick<NetworkContext, 'database' | 'services' | 'now'>,
  { tenant, subnets: subnetsByPeer, configurations, signer }: TenantConfigurations,
  machine: Machine,
): Promise<StoredConfiguration | undefined> {
  const subnets = subnetsByPeer.get(machine.id) ?? [];
  if (!isCertificateDue(machine.certificate, { subnets, signer }, now())) return configurations.get(machine.id);
  const isRenewed = await renewCertificate(database, services.secretBox, { tenant, machine, subnets, now: now() });
  return isRenewed ? undefined : configurations.get(machine.id);
}
