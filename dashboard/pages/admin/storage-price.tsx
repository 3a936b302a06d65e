import { useEffect, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { Card } from '../../components/card';
import { TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { Time } from '../../components/format';
import { confirm } from '../../components/overlays/confirm';
import { showToast } from '../../components/toasts';
import { QueryView } from '../../components/query-view';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';

const PRICE = graphql('{ storagePrice { creditsPerGibMonth changedAt } }');
const SET_PRICE = graphql(`
  mutation ($price: Decimal) {
    adminSetStoragePrice(creditsPerGibMonth: $price) {
      creditsPerGibMonth
      changedAt
    }
  }
`);

type Price = ResultOf<typeof PRICE>['storagePrice'];

/** What stored files cost all users. */
export function StoragePriceCard() {
  const query = useQuery({ query: PRICE, requestPolicy: 'cache-and-network' });
  return (
    <Card title="Price of storage">
      <QueryView query={query}>{({ storagePrice }) => <PriceForm present={storagePrice} />}</QueryView>
    </Card>
  );
}

function PriceForm({ present: { creditsPerGibMonth, changedAt } }: { readonly present: Price }) {
  const client = useClient();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? creditsPerGibMonth ?? '';
  // Once the typed price is set, the field shows what is set elsewhere, too.
  useEffect(() => {
    if (Number(typed) === Number(creditsPerGibMonth)) setTyped(undefined);
  }, [creditsPerGibMonth]);
  const submit = async () => {
    const price = text.trim() === '' ? null : text.trim();
    const title = price === null ? 'Make storage free?' : `Charge ${price} credits per GiB and month?`;
    const about = 'It applies to the files of all users from now on.';
    if (!(await confirm({ title, text: about, action: 'Set the price', isDangerous: false }))) return;
    await done(client.mutation(SET_PRICE, { price }));
    if (Number(typed) === Number(creditsPerGibMonth)) setTyped(undefined);
    showToast('The price of storage is set.');
  };
  return (
    <Form submit="Set the price" label="Price of storage" onSubmit={submit}>
      <TextField
        label="Credits per GiB and month"
        hint="Empty: storage is free."
        inputMode="decimal"
        pattern="\s*[0-9]*\.?[0-9]+\s*"
        title="A number such as 2.5"
        value={text}
        onChange={({ target }) => setTyped(target.value)}
      />
      {changedAt !== null && (
        <p className="muted small">
          Last set <Time at={changedAt} />.
        </p>
      )}
    </Form>
  );
}
