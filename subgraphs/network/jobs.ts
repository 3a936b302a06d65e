import type { JobDefinition } from '../../kernel/jobs.js';
import { TELL_AUTHORITY_PHASES } from './authority/phase.actions.js';
import { STALENESS } from './peer/staleness.actions.js';
import type { NetworkRuntime } from './services.js';

/** What network does without being asked. */
export const JOBS: readonly JobDefinition<NetworkRuntime>[] = [STALENESS, TELL_AUTHORITY_PHASES];
