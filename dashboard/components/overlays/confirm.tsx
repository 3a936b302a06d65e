import { lazy, Suspense } from 'react';
import { createStore, useStore } from '../../app/store';
import { Button } from '../forms/button';

// Loaded with the first question: most visits ask none.
const Dialog = lazy(async () => ({ default: (await import('./dialog')).Dialog }));

interface Question {
  readonly title: string;
  readonly text: string;
  /** The words on the button that does it, e.g. `Delete the group`. */
  readonly action: string;
  readonly isDangerous?: boolean;
}

interface OpenQuestion extends Question {
  readonly answer: (isConfirmed: boolean) => void;
}

const openQuestion = createStore<OpenQuestion | null>(null);

/** Asks before something that cannot be undone. Resolves to whether the user agrees. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      openQuestion.set(null);
      resolve(isConfirmed);
    };
    openQuestion.set({ ...question, answer });
  });
}

/** The place of the dialog that `confirm` opens. */
export function ConfirmDialog() {
  const question = useStore(openQuestion);
  if (!question) return null;
  const { title, text, action, isDangerous = true, answer } = question;
  return (
    <Suspense>
      <Dialog title={title} lead={text} isOpen onClose={() => answer(false)}>
        <div className="form-end">
          <Button onPress={() => answer(false)}>Cancel</Button>
          <Button kind={isDangerous ? 'danger' : 'primary'} onPress={() => answer(true)}>
            {action}
          </Button>
        </div>
      </Dialog>
    </Suspense>
  );
}
