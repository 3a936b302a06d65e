import { createStore, type Store } from '../../app/store';
import { session } from '../../session/session';

/** A question to the user. The next one is shown when it is answered. */
export type OpenQuestion<Question> = Question & {
  readonly id: number;
  readonly answer: (isConfirmed: boolean) => void;
};

/** Questions that are shown one after the other. */
interface Questions<Question> {
  readonly open: Store<readonly OpenQuestion<Question>[]>;
  /** Resolves to whether the user agrees. */
  readonly confirm: (question: Question) => Promise<boolean>;
  /** Answers no to all of them. */
  readonly refuseAll: () => void;
}

/** Makes a list of questions. When the session ends, the answer is no. */
export function createQuestions<Question extends object>(): Questions<Question> {
  const open = createStore<readonly OpenQuestion<Question>[]>([]);
  let lastId = 0;
  const confirm = (question: Question) =>
    new Promise<boolean>((resolve) => {
      const id = (lastId += 1);
      const answer = (isConfirmed: boolean) => {
        open.set(open.get().filter((other) => other.id !== id));
        resolve(isConfirmed);
      };
      open.set([...open.get(), { ...question, id, answer }]);
    });
  const refuseAll = () => {
    for (const { answer } of open.get()) answer(false);
  };
  session.subscribe(refuseAll);
  return { open, confirm, refuseAll };
}
