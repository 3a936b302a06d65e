import { constants } from 'node:fs';
import { access, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { UsageError } from './failure.js';
import { makeDirectory } from './make-directory.js';

/** An account on a platform, as the command line keeps it. */
export interface Profile {
  readonly url: string;
  readonly token?: string;
  readonly substrateAddress?: string;
}

type Profiles = Readonly<Record<string, Profile>>;

/** Keeps profiles and unfinished uploads in a folder that only its owner can read. */
export class ProfileStore {
  constructor(private readonly folder: string) {}

  /** The folder of the user: `$ARCHIPELAGO_HOME`, else `archipelago` in `$XDG_CONFIG_HOME`, else in `~/.config`. Empty counts as unset. */
  static ofUser(environment: NodeJS.ProcessEnv): ProfileStore {
    const { ARCHIPELAGO_HOME: own = '', XDG_CONFIG_HOME: configured = '' } = environment;
    if (own !== '') return new ProfileStore(own);
    return new ProfileStore(path.join(configured === '' ? path.join(homedir(), '.config') : configured, 'archipelago'));
  }

  async read(name: string): Promise<Profile | undefined> {
    return (await this.readJson<Profiles>('profiles.json'))?.[name];
  }

  async write(name: string, profile: Profile | undefined): Promise<void> {
    const { [name]: _old, ...others } = (await this.readJson<Profiles>('profiles.json')) ?? {};
    await this.writeJson('profiles.json', profile ? { ...others, [name]: profile } : others);
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

  /** Replaces the file at once; only its owner can read it. @throws UsageError when it cannot be written */
  async writeJson(name: string, value: unknown): Promise<void> {
    await this.makeFolder();
    const file = path.join(this.folder, name);
    const temporary = `${file}.${process.pid}.new`;
    try {
      await writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
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
