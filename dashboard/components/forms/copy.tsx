import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button';

const SHOWN_MS = 1_500;

/** Copies a text to the clipboard. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
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

/** A line of code that can be copied. */
export function CopyLine({ text, label }: { readonly text: string; readonly label?: string }) {
  return (
    <div className="copy-line">
      <code>{text}</code>
      <CopyButton text={text} {...(label !== undefined && { label })} />
    </div>
  );
}
