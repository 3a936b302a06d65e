import { useEffect, useRef, useState } from 'react';

/**
 * The answer to the question of a form. When one of `about` changes, it is another question: the answer goes, and one that is
 * on its way is not taken.
 */
export function useAnswer<Answer>(about: readonly unknown[]) {
  const [answer, setAnswer] = useState<Answer>();
  const asked = useRef<object>(undefined);
  const clear = () => {
    asked.current = undefined;
    setAnswer(undefined);
  };
  useEffect(clear, about);
  const ask = async (question: () => Promise<Answer>): Promise<void> => {
    clear();
    const own = {};
    asked.current = own;
    const found = await question();
    if (asked.current !== own) throw new Error('The question has changed meanwhile; ask again.');
    setAnswer(found);
  };
  return { answer, clear, ask };
}
