import { useCallback, useState } from 'react';
import { useMe } from '../../app/me';

/** Ids of the steps that this user has done once, as this browser noted them: a machine is not listed for ever. */
export function useStepsDone(): readonly [ReadonlySet<string>, (ids: readonly string[]) => void] {
  const key = `archipelago.first-steps.${useMe().id}`;
  const [done, setDone] = useState(() => new Set(noted(key)));
  const note = useCallback(
    (ids: readonly string[]) => {
      const all = new Set([...noted(key), ...ids]);
      localStorage.setItem(key, JSON.stringify([...all]));
      setDone(all);
    },
    [key],
  );
  return [done, note];
}

function noted(key: string): readonly string[] {
  return JSON.parse(localStorage.getItem(key) ?? '[]') as readonly string[];
}
