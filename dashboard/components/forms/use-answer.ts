import { useEffect, useRef, useState } from 'react';

/**
 * The answer to the question of a form. When one of `about` changes, it is another question: the answer goes, and one that is
 * on its way is not taken.
 */
export function useAnswer<Answer>(about: readonly unknown[]) {
  const [answer, setAnswer] = useState<Answer>();
  const requested = useRef<object>(undefined);
  const clear = () => {
    requested.current = undefined;
    setAnswer(undefined);
  };
  useEffect(clear, about);
  const read = async (request: () => Promise<Answer>): Promise<void> => {
    clear();
    const own = {};
    requested.current = own;
    const found = await request();
    if (requested.current !== own) throw new Error('The question has changed meanwhile; ask again.');
    setAnswer(found);
  };
  return { answer, clear, read };
}
