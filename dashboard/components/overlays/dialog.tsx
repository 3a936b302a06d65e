import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { useRef, type MouseEvent, type ReactNode } from 'react';

interface DialogProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  /** Does not close by Escape or a press outside: what it shows is not shown again. */
  readonly stays?: boolean;
  readonly children: ReactNode;
}

/** A modal dialog with a title. */
export function Dialog({ title, lead, isOpen, onClose, isWide = false, stays = false, children }: DialogProps) {
  const focusReturn = useFocusReturn();
  return (
    <Primitive.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="dialog-backdrop" />
        <Primitive.Content
          className={isWide ? 'dialog wide' : 'dialog'}
          onClickCapture={dropRepeatedClick}
          {...focusReturn}
          onInteractOutside={stays ? prevent : keepUnderToast}
          {...(stays && { onEscapeKeyDown: prevent })}
          {...(lead === undefined && { 'aria-describedby': undefined })}
        >
          <div className="dialog-head">
            <Primitive.Title>{title}</Primitive.Title>
            {lead !== undefined && <Primitive.Description className="muted">{lead}</Primitive.Description>}
          </div>
          {children}
          <Primitive.Close className="button quiet small icon-only dialog-close" aria-label="Close">
            <X className="icon" aria-hidden />
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

const prevent = (event: Event) => event.preventDefault();

/** A press on a toast, such as on its Undo, does not close the dialog. The toast may be gone when the press is reported. */
function keepUnderToast(event: Event): void {
  if (event.target instanceof Element && event.target.closest('.toast')) event.preventDefault();
}

let lastButton: Element | null = null;

/** The second half of a double click was meant for what was there before: another question, or the button that opened this one. */
function dropRepeatedClick(event: MouseEvent): void {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (event.detail > 1 && button && button !== lastButton) {
    event.preventDefault();
    event.stopPropagation();
  }
  lastButton = button;
}

/**
 * Gives the focus back when a dialog closes: without a trigger, the library does not. Its first field has the focus without
 * `autoFocus`, with which the focus before is not known.
 */
export function useFocusReturn() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => void (before.current = document.activeElement),
    onCloseAutoFocus: () => focusAgain(before.current),
  };
}

function focusAgain(element: Element | null): void {
  if (element instanceof HTMLElement || element instanceof SVGElement) element.focus({ preventScroll: true });
}
