import { useCallback, useState } from 'react';
import { useMe } from '../../app/me';

/** Ids of the steps that this user has done once, as this browser noted them: a machine is not listed for ever. */
export function useStepsDone(): readonly [ReadonlySet<string>, (ids: readonly string[]) => void] {
  const key = `archipelago.first-steps.${useMe().id}`;
  const [done, setDone] = useState(() => new Set(noted(key)));
  const note = useCallback(
    (ids: readonly string[]) => {
      const all = new Set([...noted(key), ...ids]);
      keep(key, [...all]);
      setDone(all);
    },
    [key],
  );
  return [done, note];
}

function noted(key: string): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(ids) ? ids.map(String) : [];
  } catch {
    return [];
  }
}

function keep(key: string, ids: readonly string[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(ids));
  } catch {
    // A full or blocked storage keeps nothing: the steps are ticked until the page is left.
  }
}
