import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button';

const SHOWN_MS = 1_500;

/** Copies a text to the clipboard. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <Button
      kind="quiet"
      size="small"
      icon={isCopied ? Check : Copy}
      label={isCopied ? 'Copied' : label}
      onPress={copy}
    />
  );
}

/** Browsers have `clipboard` only where the page is served over HTTPS or from this machine. @throws Error when it is refused */
async function copyText(text: string): Promise<void> {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  if (clipboard) return clipboard.writeText(text);
  const put = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
  };
  document.addEventListener('copy', put);
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', put);
  if (!isCopied) throw new Error('This browser does not allow it here: copy it by hand.');
}

/** A line of code that can be copied. */
export function CopyLine({ text, label }: { readonly text: string; readonly label?: string }) {
  return (
    <div className="copy-line">
      <code>{text}</code>
      <CopyButton text={text} {...(label !== undefined && { label })} />
    </div>
  );
}
