import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import { freePort, startInProcess, startProcess } from '../../tests/kit/arrangements.js';
import { newWallet, signIn, type SignedIn } from '../../tests/kit/wallet.js';
import type { Cleanup } from '../cleanup.js';
import { fillInfrastructure } from './dataset.js';

/** The running platform with its data, its database, and the bare server. */
export interface Environment {
  readonly platform: { readonly url: string };
  readonly bare: { readonly url: string };
  readonly owner: SignedIn;
  readonly databaseUrl: string;
}

/** Starts everything in a temporary folder. The model registry is unreachable, so that the index is not pruned. */
export async function startEnvironment(cleanup: Cleanup): Promise<Environment> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  cleanup.add(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined });
  cleanup.add(() => postgres.stop());
  const running = await startInProcess({ DATA_DIR: dataDir, REGISTRY_URL: `http://127.0.0.1:${await freePort()}` });
  cleanup.add(() => running.stop());
  const port = await freePort();
  const bare = await startProcess(['bench/network/bare.js', `${port}`], {});
  cleanup.add(() => bare.stop());
  const owner = await signIn(newWallet(), running.url);
  await fillInfrastructure(postgres.url, owner.userId);
  return { platform: running, bare: { url: `http://127.0.0.1:${port}` }, owner, databaseUrl: postgres.url };
}
