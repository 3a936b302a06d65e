import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import { isDigest, splitName } from '../model/model.rules.js';
import type { InfrastructureRuntime } from '../../services.js';
import { ArtifactFault, parseObject } from '../registry/body.js';
import { isName, isTag, isVerifiableDigest } from '../model/name.rules.js';
import type { Reference } from './event.rules.js';
import { readModelMetadata } from './metadata.rules.js';
import { beginPoll, removeReference, storeIndexedVersion, storeUnchanged, storeVersion } from './index.actions.js';
import { readManifest } from './manifest.rules.js';
import type { Registry } from '../registry/registry.js';

/** Maximum size of a configuration blob in bytes; larger ones are not read. */
const MAX_CONFIG_BYTES = 1024 * 1024;

/** Updates the index for a tag or digest from a notification. */
export const POLL_MODEL: JobDefinition<InfrastructureRuntime> = {
  name: 'poll-model',
  queue: 'storage',
  work: async ({ name, reference }, runtime) => {
    const { registry } = runtime.services;
    if (registry && isName(name) && (isTag(reference) || isVerifiableDigest(reference)))
      await pollReference(runtime, registry, { name, reference });
  },
};

/** Enqueues index updates for these references, durably. Sorted: two notifications would wait for each other's jobs in a circle. */
export async function enqueuePolls(
  { database, jobs }: Pick<InfrastructureRuntime, 'database' | 'jobs'>,
  references: readonly Reference[],
): Promise<void> {
  const polls = references.map((data) => ({ data: { ...data }, key: `${data.name} ${data.reference}` }));
  await database.change(async (transaction) => {
    for (const { data, key } of polls.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
      await jobs.enqueue(transaction, POLL_MODEL.name, data, { key, group: POLL_MODEL.name });
  });
}

type PollContext = Pick<InfrastructureRuntime, 'database' | 'now' | 'log'>;

/**
 * Updates the index for a tag or digest from the registry. Safe to repeat, concurrently and in any order. An inconsistent
 * artifact is logged and not fetched again until its tag changes. @throws RegistryFault
 */
export async function pollReference(context: PollContext, registry: Registry, about: Reference): Promise<void> {
  try {
    await pollOnce(context, registry, about);
  } catch (error) {
    if (!(error instanceof ArtifactFault)) throw error;
    context.log.warn({ err: error, ...about }, 'an artifact does not match its manifest; it is not indexed');
  }
}

async function pollOnce(context: PollContext, registry: Registry, { name, reference }: Reference): Promise<void> {
  const { database, now } = context;
  const poll = await beginPoll(database, splitName(name), reference);
  const found = await registry.manifest(name, reference, poll.known);
  if (found.state === 'same') return storeUnchanged(database, poll);
  if (found.state === 'gone') return removeReference(database, poll);
  const { digest, body } = found;
  // The content of a digest never changes.
  if (await storeIndexedVersion(database, poll, digest)) return;
  const seen = { digest, at: now() };
  // A tag that is not a model is recorded, so that it is not fetched again.
  const remember = async () => (isDigest(reference) ? undefined : storeVersion(database, poll, seen));
  const metadata = await manifestDetails(registry, name, body).catch(async (error: unknown) => {
    if (error instanceof ArtifactFault) await remember();
    throw error;
  });
  await (metadata ? storeVersion(database, poll, { ...seen, metadata }) : remember());
}

async function manifestDetails(registry: Registry, name: string, body: Buffer) {
  const manifest = readManifest(body);
  if (!manifest) return undefined;
  const { config, packaging } = manifest;
  const isRead = packaging !== 'plain' && packaging !== 'chunked' && config.sizeBytes <= MAX_CONFIG_BYTES;
  const content = isRead ? parseObject(await registry.blob(name, config)) : undefined;
  return readModelMetadata(manifest, content, name);
}
