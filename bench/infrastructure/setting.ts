import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import { freePort, startInProcess, startProcess } from '../../tests/kit/arrangements.js';
import { newWallet, signIn, type SignedIn } from '../../tests/kit/wallet.js';
import type { Ends } from '../ends.js';
import { fillInfrastructure } from './dataset.js';

/** The platform with the measured scale, the bare server, and the database it is on. */
export interface Setting {
  readonly platform: { readonly url: string };
  readonly bare: { readonly url: string };
  readonly owner: SignedIn;
  readonly databaseUrl: string;
}

/** Starts it all on folders of its own; the registry that was indexed cannot be reached any more, so that nothing is forgotten. */
export async function startSetting(ends: Ends): Promise<Setting> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  ends.add(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined });
  ends.add(() => postgres.stop());
  const running = await startInProcess({ DATA_DIR: dataDir, REGISTRY_URL: `http://127.0.0.1:${await freePort()}` });
  ends.add(() => running.stop());
  const port = await freePort();
  const bare = await startProcess(['bench/network/bare.js', `${port}`], {});
  ends.add(() => bare.stop());
  const owner = await signIn(newWallet(), running.url);
  await fillInfrastructure(postgres.url, owner.userId);
  return { platform: running, bare: { url: `http://127.0.0.1:${port}` }, owner, databaseUrl: postgres.url };
}
