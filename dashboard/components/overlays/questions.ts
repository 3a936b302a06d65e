import { createStore, type Store } from '../../runtime/store';
import { session } from '../../session/session';

/** A question to the user. The next one is shown when it is answered; without a value, the user declines. */
export type OpenQuestion<Question, Answer = true> = Question & {
  readonly id: number;
  readonly answer: (value?: Answer) => void;
};

/** Questions that are shown one after the other. */
interface Questions<Question, Answer> {
  readonly open: Store<readonly OpenQuestion<Question, Answer>[]>;
  /** Resolves to the answer; undefined when the user declines. */
  readonly pose: (question: Question) => Promise<Answer | undefined>;
  /** Declines all of them. */
  readonly refuseAll: () => void;
}

/** Makes a list of questions. They are declined when the session ends. */
export function createQuestions<Question extends object, Answer = true>(): Questions<Question, Answer> {
  const open = createStore<readonly OpenQuestion<Question, Answer>[]>([]);
  let lastId = 0;
  const pose = (question: Question) =>
    new Promise<Answer | undefined>((resolve) => {
      const id = (lastId += 1);
      const answer = (value?: Answer) => {
        open.set(open.get().filter((other) => other.id !== id));
        resolve(value);
      };
      open.set([...open.get(), { ...question, id, answer }]);
    });
  const refuseAll = () => {
    for (const { answer } of open.get()) answer();
  };
  session.subscribe(refuseAll);
  return { open, pose, refuseAll };
}
