import { Wallet } from 'lucide-react';
import { useState } from 'react';
import { useClient } from 'urql';
import { linkWallet } from '../../../sdk/src/auth';
import { Transport } from '../../../sdk/src/transport';
import { reloadMe, useMe } from '../../app/me';
import { Button } from '../../components/forms/button';
import { Dialog } from '../../components/overlays/dialog';
import { showToast } from '../../components/toasts';
import { WalletChoice } from '../../components/wallet-choice';
import { accessToken } from '../../session/access-token';
import { signerOf, type WalletPair } from '../../session/wallets';

/** Users who signed in with a wallet have its address as their name. */
const WALLET_NAME = /^0x[0-9a-f]{40}$/i;

const transport = new Transport({ url: location.origin, token: accessToken });

/** Links a wallet to the account of a user who has none, so that files can belong to its SS58 address. */
export function LinkWalletButton() {
  const client = useClient();
  const { username } = useMe();
  const [isOpen, setOpen] = useState(false);
  const link = async (wallets: WalletPair) => {
    await linkWallet(transport, await signerOf(wallets));
    setOpen(false);
    showToast('The wallet is linked. You can also sign in with it now.');
    await reloadMe(client);
  };
  if (WALLET_NAME.test(username))
    return <span className="muted">Sign in again with a Substrate account of yours.</span>;
  return (
    <>
      <Button kind="primary" size="small" icon={Wallet} onPress={() => setOpen(true)}>
        Link a wallet
      </Button>
      <Dialog
        title="Link a wallet"
        lead="Your files will belong to its SS58 address, and you can also sign in with it. A linked wallet cannot be changed."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <div className="stack">
          <WalletChoice action="Link" onChoose={link} />
        </div>
      </Dialog>
    </>
  );
}
