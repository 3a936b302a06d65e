import { Archipelago, newMnemonic, sourceOf } from '../../../sdk/src/index.js';
import { platform } from '../platform.js';
import { signIn, type SignedIn } from '../accounts/wallet.js';

interface Stored {
  readonly user: SignedIn;
  readonly phrase: string;
  readonly folder: string;
}

/** A user with a folder of three files that the SDK encrypted. */
export async function userWithFiles(): Promise<Stored> {
  const user = await signIn();
  const phrase = newMnemonic();
  const files = new Archipelago({ url: platform().url, token: user.token }).files(user.substrateAddress);
  const key = files.key(phrase, 'Holiday photos');
  await files.register(key, 'a laptop');
  for (const relativePath of ['beach.jpg', 'notes/day one.txt', 'notes/day two.txt'])
    await files.upload({ folder: key, relativePath, plaintext: sourceOf(Buffer.from(`text of ${relativePath}`)) });
  return { user, phrase, folder: key.folderHash };
}
