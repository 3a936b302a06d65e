import { useState } from 'react';
import { useClient } from 'urql';
import { Dialog } from '../../components/overlays/dialog';
import { LinesField, TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { showToast } from '../../components/toasts';
import { KINDS, savedFrom, type Item } from './catalogue-kinds';

interface CatalogueDialogProps {
  /** The item to change; without an id it is added. */
  readonly item: Item;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Adds an item to the catalogue, or changes one. */
export function CatalogueDialog({ item, onDone, onClose }: CatalogueDialogProps) {
  const client = useClient();
  const [values, setValues] = useState(item.values);
  const { fields } = KINDS[item.kind];
  const noun = item.kind.toLowerCase();
  const submit = async () => {
    await savedFrom(client, item, values);
    showToast(item.id === undefined ? `The ${noun} is added.` : `The ${noun} is changed.`);
    onDone();
    onClose();
  };
  return (
    <Dialog
      title={item.id === undefined ? `Add ${noun === 'size' ? 'a' : 'an'} ${noun}` : `Change ${item.name}`}
      lead="Existing machines keep their size, image and price."
      isOpen
      isWide
      onClose={onClose}
    >
      <Form submit="Save" label={`The ${noun}`} onSubmit={submit} onCancel={onClose}>
        <div className="form-pair">
          {fields.map(({ name, type, ...field }) => {
            const value = values[name] ?? '';
            const change = (text: string) => setValues((last) => ({ ...last, [name]: text }));
            if (type === 'lines')
              return <LinesField key={name} {...field} value={value} onChange={({ target }) => change(target.value)} />;
            return (
              <TextField
                key={name}
                {...field}
                {...(type && { type })}
                value={value}
                onChange={({ target }) => change(target.value)}
              />
            );
          })}
        </div>
      </Form>
    </Dialog>
  );
}
