import type { Database } from '../database/database.js';
import type { Query } from '../database/query.js';
import type { SecretBox } from './secret-box.js';

/** A stored secret that `SecretBox` sealed. */
export interface StoredSecret {
  readonly id: string;
  readonly sealed: string;
  /** What its purpose names, e.g. the id of an endpoint. */
  readonly subject: string;
}

/** A secret that takes the place of another. */
export interface ReplacedSecret {
  readonly id: string;
  readonly sealed: string;
  /** The one that it replaces: another one stays. */
  readonly former: string;
}

/** The secrets of one column. */
export interface StoredSecrets {
  /** The first thousand after this id, in order of ids. */
  readonly list: Query<{ readonly after: string }, StoredSecret>;
  readonly replace: Query<ReplacedSecret, unknown>;
  /** The purpose that a secret was sealed for. */
  readonly purposeOf: (subject: string) => string;
}

/** How many secrets were sealed again, and how many no key opens. */
export interface Resealed {
  readonly resealed: number;
  readonly unreadable: number;
}

/** Seals every secret that an earlier key sealed by the first key; safe to repeat, and beside a platform that has both keys. */
export async function resealSecrets(
  database: Database,
  secretBox: SecretBox,
  { list, replace, purposeOf }: StoredSecrets,
): Promise<Resealed> {
  let [resealed, unreadable, after] = [0, 0, ''];
  for (;;) {
    const secrets = await database.run(list, { after });
    for (const { id, sealed: former, subject } of secrets) {
      const sealed = renewed(secretBox, former, purposeOf(subject));
      if (sealed === null) unreadable += 1;
      if (!sealed) continue;
      await database.change((transaction) => transaction.run(replace, { id, sealed, former }));
      resealed += 1;
    }
    const last = secrets.at(-1);
    if (!last) return { resealed, unreadable };
    after = last.id;
  }
}

/** Undefined if the first key sealed it; null if no key opens it. */
function renewed(secretBox: SecretBox, sealed: string, purpose: string): string | undefined | null {
  try {
    return secretBox.renew(sealed, purpose);
  } catch {
    return null;
  }
}
