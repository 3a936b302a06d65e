/** When an upload is stopped, and when it ends in any way. */
export interface RunningUpload {
  readonly signal: AbortSignal;
  readonly done: AbortSignal;
}

const PREFIX = 'archipelago.upload ';

/** Where a browser has no locks, each window claims what it uploads for itself. */
const { locks } = navigator as { readonly locks?: LockManager };

/** Waits until no other upload of this browser has this record, and claims it until the upload ends. @throws when it is stopped */
export function claimUpload(key: string, { signal, done }: RunningUpload): Promise<void> {
  if (!locks) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const hold = () =>
      new Promise<void>((release) => {
        for (const end of [signal, done]) end.addEventListener('abort', () => release());
        resolve();
      });
    locks.request(PREFIX + key, { signal }, hold).catch(reject);
  });
}

/** The keys of the records that uploads of any window of this browser have claimed. */
export async function claimedUploads(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await locks?.query()) ?? {};
  return new Set(held.flatMap(({ name = '' }) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
}

/** Waits until one of these claims has ended: a window keeps its own for a while after it is closed. @throws when it is stopped */
export async function claimEnded(keys: readonly string[], signal: AbortSignal): Promise<void> {
  const options: LockOptions = { mode: 'shared', signal };
  await Promise.race(keys.map(async (key) => locks?.request(PREFIX + key, options, () => undefined)));
}
