import { createStore } from '../runtime/store';
import { messageOf } from '../graphql/refusal';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
  readonly action: ToastAction | undefined;
}

/** A button on a toast, e.g. to undo what it tells. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => unknown;
}

const SHOWN_MS = 6_000;

export const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

/** Tells the user that something is done. Returns the function that takes it away. */
export function showToast(text: string, action?: ToastAction): () => void {
  return add({ text, isError: false, action });
}

/** Tells the user that something failed. */
export function showError(error: unknown): void {
  add({ text: typeof error === 'string' ? error : messageOf(error), isError: true, action: undefined });
}

function add(toast: Omit<Toast, 'id'>): () => void {
  const id = (lastId += 1);
  toasts.set([
    ...toasts
      .get()
      .filter(({ text }) => text !== toast.text)
      .slice(-3),
    { ...toast, id },
  ]);
  setTimeout(() => dismiss(id), toast.isError || toast.action ? SHOWN_MS * 2 : SHOWN_MS);
  return () => dismiss(id);
}

export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}
