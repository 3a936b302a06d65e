import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { useStore } from '../../../runtime/store';
import { Button } from '../../../components/forms/button';
import { CopyLine } from '../../../components/forms/copy';
import { Dialog } from '../../../components/overlays/dialog';
import { createQuestions, type OpenQuestion } from '../../../components/overlays/questions';
import { Check, TextField } from '../../../components/forms/fields';
import { Form } from '../../../components/forms/form';
import { done } from '../../../graphql/done';
import { createSessionStore, session } from '../../../session/session';
import { ANY_FILE } from '../operations';
import { forgetKeys, inVault } from './vault';
import type { Access } from './vault-tasks';

const KEY = 'archipelago.phrase';

const questions = createQuestions<{ readonly owner: string }, string>();
const phrases = createSessionStore<Readonly<Record<string, string>>>({});
session.subscribe(forgetKeys);

/** The phrase of an owner, if this tab or this browser keeps it. */
export function usePhrase(owner: string): string | undefined {
  return useStore(phrases)[owner] ?? kept(owner);
}

/** What the worker needs to act for the owner; asks for the phrase if it is not known. @throws Error when the user declines */
export async function unlocked(owner: string): Promise<Access> {
  const phrase = phrases.get()[owner] ?? kept(owner) ?? (await requestPhrase(owner));
  if (phrase === undefined) throw new Error('Files can only be read and written with your phrase.');
  return accessOf(owner, phrase);
}

/** Forgets the phrase of an owner. */
export function lock(owner: string): void {
  sessionStorage.removeItem(`${KEY}.${owner}`);
  localStorage.removeItem(`${KEY}.${owner}`);
  phrases.set({});
  forgetKeys();
}

/** Asks for the phrase of an owner, or makes one. Resolves to undefined when the user declines. */
export function requestPhrase(owner: string): Promise<string | undefined> {
  return questions.pose({ owner });
}

function kept(owner: string): string | undefined {
  return sessionStorage.getItem(`${KEY}.${owner}`) ?? localStorage.getItem(`${KEY}.${owner}`) ?? undefined;
}

function keep(owner: string, phrase: string, isLasting: boolean): void {
  (isLasting ? localStorage : sessionStorage).setItem(`${KEY}.${owner}`, phrase);
  phrases.set({ ...phrases.get(), [owner]: phrase });
}

function accessOf(owner: string, phrase: string): Access {
  return { url: location.origin, owner, phrase };
}

/** The place of the dialog that `unlocked` opens. Leaving the page declines. */
export function PhraseDialog() {
  const [question] = useStore(questions.open);
  useEffect(() => questions.refuseAll, []);
  if (!question) return null;
  return (
    <Dialog
      title="The phrase of your files"
      lead="Files are encrypted in this browser before they are sent. Only who has the phrase can read them."
      isOpen
      onClose={() => question.answer()}
    >
      <PhraseForm key={question.id} {...question} />
    </Dialog>
  );
}

function PhraseForm({ owner, answer }: OpenQuestion<{ readonly owner: string }, string>) {
  const [text, setText] = useState('');
  const [made, setMade] = useState('');
  const [isLasting, setLasting] = useState(false);
  const check = useCheck(owner);
  const submit = async () => {
    const phrase = text.trim().toLowerCase().split(/\s+/).join(' ');
    await check(phrase);
    keep(owner, phrase, isLasting);
    answer(phrase);
  };
  const make = async () => {
    const phrase = String(await inVault(accessOf(owner, ''), { kind: 'new phrase' }));
    setMade(phrase);
    setText(phrase);
  };
  return (
    <Form submit="Use this phrase" label="Phrase" onSubmit={submit} onCancel={() => answer()}>
      <TextField
        label="Phrase"
        hint="12 or 24 words, those that your other devices use."
        type={made === '' ? 'password' : 'text'}
        spellCheck={false}
        autoCapitalize="off"
        required
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {made === '' ? <MakePhrase onMake={make} /> : <MadePhrase phrase={made} />}
      <Check
        label="Keep it in this browser after the tab is closed"
        checked={isLasting}
        onChange={(event) => setLasting(event.target.checked)}
      />
    </Form>
  );
}

function MakePhrase({ onMake }: { readonly onMake: () => Promise<void> }) {
  return (
    <p className="row muted small">
      No phrase yet?
      <Button size="small" onPress={onMake}>
        Generate a new phrase
      </Button>
    </p>
  );
}

function MadePhrase({ phrase }: { readonly phrase: string }) {
  return (
    <>
      <CopyLine text={phrase} label="Copy the phrase" />
      <p className="small">Write it down now. Without it nobody can read your files again, not even the operator.</p>
    </>
  );
}

/** Returns a function that checks a phrase against a stored file of the owner. */
function useCheck(owner: string) {
  const client = useClient();
  return async (phrase: string) => {
    const { searchFiles } = await done(client.query(ANY_FILE, { owner }, { requestPolicy: 'network-only' }));
    const file = searchFiles.files.find(({ folderLabel }) => folderLabel !== '');
    const known = file && { label: file.folderLabel, encryptedPath: file.encryptedPath };
    await inVault(accessOf(owner, phrase), { kind: 'check phrase', ...known });
  };
}
