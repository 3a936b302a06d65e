/** Maximum parallel jobs of one group, in all processes together. */
const MAX_PER_GROUP = 3;

/** The tier of groups whose jobs run one after another. */
const SERIAL = 'serial';

/** How many jobs of a group run at once. */
export const GROUP_CONCURRENCY = { default: MAX_PER_GROUP, tiers: { [SERIAL]: 1 } };

/** Whether a fetched job is of the group of `serialGroup(id)`. */
export function isOfSerialGroup(
  { groupId, groupTier }: { readonly groupId?: string | null; readonly groupTier?: string | null },
  id: string,
): boolean {
  return groupTier === SERIAL && groupId === id;
}

/** A group whose jobs run one after another. */
export function serialGroup(id: string): { readonly id: string; readonly tier: string } {
  return { id, tier: SERIAL };
}
