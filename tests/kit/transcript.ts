import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { PROCESS_ENV } from './arrangements.js';
import { spawnPiped, toEnd, type ExitResult } from './run.js';

/** A command as it is typed; `code` is the expected exit status, 0 by default. */
export interface Typed {
  readonly code?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Secrets that the platform shows once, by their prefixes. */
const SECRETS = /\b(arp_[a-z0-9]+_)[\w-]+/g;

/** Runs the program that people install, and writes down what they see. */
export class Transcript {
  private text = '';

  /** @param hidden texts with the words that replace them: folders, addresses, secrets */
  constructor(
    private readonly env: Readonly<Record<string, string>>,
    private readonly hidden: ReadonlyMap<string, string>,
  ) {}

  /** Runs a command to its end. @throws Error for another exit status than expected */
  async run(words: readonly string[], { code = 0, env = {} }: Typed = {}): Promise<ExitResult> {
    const program = join(packageRoot(), 'cli/archipelago.js');
    const ended = await toEnd(
      spawnPiped([process.execPath, program, ...words], { ...PROCESS_ENV, ...this.env, ...env }),
    );
    const typed = words.map((word) => (/[\s"]/.test(word) ? `'${word}'` : word)).join(' ');
    const status = ended.code === 0 ? '' : `[exit status ${ended.code}]\n`;
    this.text += this.withoutSecrets(`$ archipelago ${typed}\n${ended.stdout}${ended.stderr}${status}\n`);
    if (ended.code !== code) throw new Error(`expected exit status ${code}\n${this.text}`);
    return ended;
  }

  /** Writes the transcript to the folder of artefacts. Returns its text. */
  write(name: string): string {
    const folder = join(packageRoot(), 'artefacts/cli');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.txt`), this.text);
    return this.text;
  }

  private withoutSecrets(text: string): string {
    let shown = text.replace(SECRETS, '$1…');
    for (const [hidden, word] of this.hidden) shown = shown.replaceAll(hidden, word);
    return shown;
  }
}
