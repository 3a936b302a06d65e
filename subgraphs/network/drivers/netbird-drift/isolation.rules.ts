type Json = Readonly<Record<string, unknown>>;

/** The group that NetBird puts every machine into. */
const EVERYBODY = 'All';

/**
 * Returns the names of foreign policies that connect all machines of all tenants, such as the default policy of a new
 * NetBird account. @param answers of `GET /api/policies`
 */
export function breachesOf(answers: readonly Json[], installation: string): string[] {
  const open = answers.filter(({ enabled, rules }) => enabled === true && listOf(rules).some(opensAll));
  return open.map(({ name }) => String(name)).filter((name) => !name.startsWith(`${installation}-`));
}

function opensAll({ enabled, action, sources, destinations }: Json): boolean {
  return enabled === true && action === 'accept' && isEverybody(sources) && isEverybody(destinations);
}

function isEverybody(groups: unknown): boolean {
  return listOf(groups).some(({ name }) => name === EVERYBODY);
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}
