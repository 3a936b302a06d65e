import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../../../kernel/database/database.js';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import type { NetworkConfig } from '../../config.js';
import type { SecretBox } from '../../../../kernel/security/secret-box.js';
import { decodeCertificate } from '../../certificates/certificate/certificate.rules.js';
import { isCertificateDue, renewalTimeOf } from '../../certificates/certificate/renewal.rules.js';
import { lighthousesOf } from '../../compile/nebula/lighthouse.rules.js';
import { pemOf } from '../../../../kernel/security/host-key.js';
import { nebulaConfiguration, NO_PLAN } from '../../compile/nebula/nebula.rules.js';
import { certifyLighthouse, servedTenants, type ServedTenant } from './lighthouse.actions.js';
import { NebulaProcess } from './nebula-process.js';

interface LighthouseDependencies {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly log: Logger;
  /** Where keys and configurations are kept. */
  readonly directory: string;
  readonly settings: NetworkConfig;
}

/** DER prefix of a raw private key. Source: RFC 8410 */
const PKCS_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** Runs one Nebula per tenant with machines; overlays of tenants are separate. */
export class TenantLighthouses {
  private readonly running = new Map<number, NebulaProcess>();
  /** What each lighthouse was made from, and when its certificate must be renewed. */
  private readonly served = new Map<number, { readonly tenant: ServedTenant; readonly renewAt: Date }>();

  constructor(private readonly dependencies: LighthouseDependencies) {}

  /** Starts, updates and stops lighthouses to match the database. A failure of one is logged and tried again by the next call. */
  async serve(now: Date): Promise<void> {
    const { database, log } = this.dependencies;
    const tenants = await servedTenants(database, now);
    const ids = new Set(tenants.map(({ id }) => id));
    for (const [id, nebula] of this.running) {
      if (ids.has(id)) continue;
      this.running.delete(id);
      this.served.delete(id);
      await nebula.stop();
    }
    for (const tenant of tenants.filter((each) => !this.isServed(each, now)))
      await this.serveTenant(tenant, now).catch((error: unknown) =>
        log.error({ err: error, tenantId: tenant.id }, 'the lighthouse of a network could not be updated'),
      );
  }

  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map((nebula) => nebula.stop()));
  }

  private isServed(tenant: ServedTenant, now: Date): boolean {
    const served = this.served.get(tenant.id);
    if (!served || now >= served.renewAt || !this.running.get(tenant.id)?.isRunning) return false;
    return isDeepStrictEqual(served.tenant, tenant);
  }

  private async serveTenant(tenant: ServedTenant, now: Date): Promise<void> {
    const { directory, settings, log } = this.dependencies;
    this.served.delete(tenant.id);
    const folder = join(directory, String(tenant.id));
    const keyFile = join(folder, 'host.key');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const certificate = await this.certificateOf(tenant, { folder, keyFile, now });
    const text = nebulaConfiguration({
      plan: NO_PLAN,
      authorities: tenant.authorities.map((authority) => pemOf('certificate', authority)).join(''),
      certificate: pemOf('certificate', certificate),
      keyFile,
      blocklist: tenant.blocklist,
      lighthouses: [],
      isLighthouse: true,
      listenPort: settings.lighthousePort + tenant.place,
    });
    const fault = (sentence: string) => log.error({ tenantId: tenant.id }, sentence);
    const nebula = this.running.get(tenant.id) ?? new NebulaProcess(join(folder, 'config.yml'), fault);
    this.running.set(tenant.id, nebula);
    await nebula.run(text);
    this.served.set(tenant.id, { tenant, renewAt: renewalTimeOf(decodeCertificate(certificate)) });
  }

  private async certificateOf(
    tenant: ServedTenant,
    { folder, keyFile, now }: { readonly folder: string; readonly keyFile: string; readonly now: Date },
  ): Promise<Buffer> {
    const { database, secretBox, settings } = this.dependencies;
    const publicKey = await readOrMakeKey(keyFile);
    const file = join(folder, 'host.crt');
    const kept = await readFile(file).catch(() => null);
    // A key file that was lost is made again, and a certificate for the previous key is of no use.
    const isForKey = kept !== null && decodeCertificate(kept).publicKey.equals(publicKey);
    if (isForKey && !isCertificateDue(kept, { subnets: [], signer: tenant.signer }, now)) return kept;
    const places = Array<string>(settings.lighthouseNumber).fill('');
    const ip = lighthousesOf(tenant, places, 0).at(-1)?.ip ?? '';
    const certificate = await certifyLighthouse({ database, secretBox }, tenant, { ip, publicKey, now });
    await writeFile(`${file}.new`, certificate, { mode: 0o600, flush: true });
    await rename(`${file}.new`, file);
    return certificate;
  }
}

/** The public key of the pair whose private key is in the file. */
async function readOrMakeKey(file: string): Promise<Buffer> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const raw = text === undefined ? undefined : Buffer.from(text.replace(/^-.*$/gm, ''), 'base64');
  if (raw?.length === 32)
    return publicOf(createPrivateKey({ key: Buffer.concat([PKCS_PREFIX, raw]), format: 'der', type: 'pkcs8' }));
  const { privateKey } = generateKeyPairSync('x25519');
  const made = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  await writeFile(`${file}.new`, pemOf('hostKey', made), { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return publicOf(privateKey);
}

function publicOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
}
