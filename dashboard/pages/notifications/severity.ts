import type { Tone } from '../../components/badge';

/** The colour of a notification. */
export const SEVERITY_TONES = { info: 'plain', warning: 'warn', critical: 'bad' } as const satisfies Record<
  string,
  Tone
>;
