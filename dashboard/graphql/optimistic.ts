import { useCallback, useEffect, useState } from 'react';

/** What an act changes. It may be applied to data that contains the change already. */
type Change<Data> = (data: Data) => Data;

/** Shows a change while its work runs. @throws the error of the work, with the change taken back */
export type ShowAtOnce<Data> = (change: Change<Data>, work: () => Promise<unknown>) => Promise<void>;

interface Shown<Data> {
  readonly change: Change<Data>;
  /** The server did it: the next data contains it. */
  readonly isDone: boolean;
}

/** The data with changes that the server has not answered yet, or that it did since, and the function that adds one. */
export function useOptimistic<Data>(data: Data): readonly [Data, ShowAtOnce<NonNullable<Data>>] {
  const [changes, setChanges] = useState<readonly Shown<NonNullable<Data>>[]>([]);
  useEffect(
    () => setChanges((all) => (all.some(({ isDone }) => isDone) ? all.filter(({ isDone }) => !isDone) : all)),
    [data],
  );
  useWarningBeforeLeaving(changes.some(({ isDone }) => !isDone));
  const showAtOnce = useCallback<ShowAtOnce<NonNullable<Data>>>(async (change, work) => {
    const without = (all: readonly Shown<NonNullable<Data>>[]) => all.filter((one) => one.change !== change);
    setChanges((all) => [...all, { change, isDone: false }]);
    try {
      await work();
      setChanges((all) => [...without(all), { change, isDone: true }]);
    } catch (error) {
      setChanges(without);
      throw error;
    }
  }, []);
  const shown = data === null || data === undefined ? data : changes.reduce((one, { change }) => change(one), data);
  return [shown, showAtOnce];
}

/** Lets the browser ask before the page is left: it ends requests without an answer, and with them a change that looks done. */
function useWarningBeforeLeaving(isUnanswered: boolean): void {
  useEffect(() => {
    if (!isUnanswered) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUnanswered]);
}
