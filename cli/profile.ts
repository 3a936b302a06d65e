import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from './failure.js';
import { makeDirectory } from './local-files/make-directory.js';

/** An account on a platform, as the command line keeps it. */
export interface Profile {
  readonly url: string;
  readonly token?: string;
  readonly substrateAddress?: string;
}

/** Age of a lock that a killed process has left, in milliseconds: a change takes a few. */
const LOCK_TTL_MS = 10_000;
const LOCK_POLL_INTERVAL_MS = 20;
/** A lock of a killed process whose clock was ahead is old after twice its age at the latest. */
const LOCK_TIMEOUT_MS = 2 * LOCK_TTL_MS;

/** Keeps profiles and unfinished uploads in a folder that only its owner can read. */
export class ProfileStore {
  constructor(
    private readonly folder: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** The folder of the user: `$ARCHIPELAGO_HOME`, else `archipelago` in `$XDG_CONFIG_HOME`, else in `~/.config`. Empty counts as unset. */
  static ofUser(environment: NodeJS.ProcessEnv): ProfileStore {
    const { ARCHIPELAGO_HOME: own = '', XDG_CONFIG_HOME: configured = '' } = environment;
    if (own !== '') return new ProfileStore(own);
    return new ProfileStore(path.join(configured === '' ? path.join(homedir(), '.config') : configured, 'archipelago'));
  }

  async read(name: string): Promise<Profile | undefined> {
    return (await this.readJson<Record<string, Profile>>('profiles.json'))?.[name];
  }

  async write(name: string, profile: Profile | undefined): Promise<void> {
    await this.change<Profile>('profiles.json', ({ [name]: _old, ...others }) =>
      profile ? { ...others, [name]: profile } : others,
    );
  }

  /** Returns the parsed file, or undefined if there is none. @throws UsageError when it is not JSON */
  async readJson<Value>(name: string): Promise<Value | undefined> {
    const file = path.join(this.folder, name);
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new UsageError(`${file} cannot be read: ${error.message}`);
    });
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as Value;
    } catch {
      throw new UsageError(`${file} is not JSON: move it away.`);
    }
  }

  /** Changes a file that other shells may change at the same time. @throws UsageError when it cannot be read or written */
  async change<Value>(
    name: string,
    edit: (values: Readonly<Record<string, Value>>) => Readonly<Record<string, Value>>,
  ): Promise<void> {
    await this.makeFolder();
    const file = path.join(this.folder, name);
    const lock = `${file}.lock`;
    const id = await this.acquire(lock).catch((error: unknown) => {
      throw this.unwritable(error);
    });
    try {
      const values = edit((await this.readJson<Record<string, Value>>(name)) ?? {});
      await this.replace(file, `${JSON.stringify(values, null, 2)}\n`);
    } finally {
      await removeLock(lock, id);
    }
  }

  /** Makes the lock file. Waits for the process that has it, and removes that of a killed one. Returns its id. */
  private async acquire(lock: string): Promise<string> {
    const own = randomUUID();
    let startMs: number | undefined;
    while (!(await madeNew(lock, own))) {
      const id = await idIn(lock);
      const made = await stat(lock).catch(() => undefined);
      const nowMs = this.now();
      startMs ??= nowMs;
      if (nowMs - startMs > LOCK_TIMEOUT_MS) throw new Error(`${lock} stays: remove it if no other command runs`);
      if (id !== undefined && made && Math.abs(nowMs - made.mtimeMs) > LOCK_TTL_MS) await removeLock(lock, id);
      await delay(LOCK_POLL_INTERVAL_MS);
    }
    return own;
  }

  /** Replaces the file at once; only its owner can read it. */
  private async replace(file: string, text: string): Promise<void> {
    const temporary = `${file}.${process.pid}.new`;
    try {
      await writeFile(temporary, text, { mode: 0o600, flush: true });
      await rename(temporary, file);
    } catch (error) {
      throw this.unwritable(error);
    }
  }

  /** Makes the folder if there is none. @throws UsageError when it cannot be written to */
  async makeFolder(): Promise<void> {
    try {
      await makeDirectory(path.resolve(this.folder), 0o700);
      await access(this.folder, constants.W_OK);
    } catch (error) {
      throw this.unwritable(error);
    }
  }

  private unwritable(error: unknown): UsageError {
    const reason = error instanceof Error ? error.message : String(error);
    return new UsageError(`${this.folder} cannot be written: ${reason}. ARCHIPELAGO_HOME names another folder.`);
  }
}

/** Makes a file with this text. Returns false when there is one. */
async function madeNew(file: string, text: string): Promise<boolean> {
  return writeFile(file, text, { mode: 0o600, flag: 'wx' }).then(
    () => true,
    async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      // A full disk: the file is there, without its text.
      if (error.syscall === 'write') await rm(file, { force: true });
      throw error;
    },
  );
}

/** Returns the id of a lock: its text, or its time when its process was killed before it wrote that. */
async function idIn(lock: string): Promise<string | undefined> {
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  return text === '' ? (await stat(lock).catch(() => undefined))?.mtimeMs.toFixed() : text;
}

/**
 * Removes a lock if it has this id. Only the process that makes the file for this id may: another would remove the lock that
 * has followed.
 */
async function removeLock(lock: string, id: string): Promise<void> {
  const removal = `${lock}.${id}`;
  if (!(await madeNew(removal, ''))) return;
  try {
    if ((await idIn(lock)) === id) await rm(lock, { force: true });
  } finally {
    await rm(removal, { force: true });
  }
}
