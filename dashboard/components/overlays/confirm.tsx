import { Suspense } from 'react';
import { lazyPart } from '../../runtime/code';
import { useStore } from '../../runtime/store';
import { Button } from '../forms/button';
import { createQuestions } from './questions';

// Loaded with the first question: most visits ask none.
const Dialog = lazyPart(async () => (await import('./dialog')).Dialog);

interface Question {
  readonly title: string;
  readonly text: string;
  /** The words on the button that does it, e.g. `Delete the group`. */
  readonly action: string;
  readonly isDangerous?: boolean;
}

const questions = createQuestions<Question>();

/** Asks before something that cannot be undone. Resolves to whether the user agrees. @throws CodeMissing */
export async function confirm(question: Question): Promise<boolean> {
  await Dialog.load();
  return (await questions.pose(question)) === true;
}

/** The place of the dialog that `confirm` opens. */
export function ConfirmDialog() {
  const [question] = useStore(questions.open);
  if (!question) return null;
  const { id, title, text, action, isDangerous = true, answer } = question;
  return (
    <Suspense>
      <Dialog title={title} lead={text} isOpen onClose={() => answer()}>
        <div key={id} className="form-end">
          <Button onPress={() => answer()}>Cancel</Button>
          <Button kind={isDangerous ? 'danger' : 'primary'} onPress={() => answer(true)}>
            {action}
          </Button>
        </div>
      </Dialog>
    </Suspense>
  );
}
