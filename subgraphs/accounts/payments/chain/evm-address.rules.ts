import { HDNodeVoidWallet, HDNodeWallet } from 'ethers';

/** A public key from which addresses are derived. It cannot sign. */
export type EvmKey = HDNodeVoidWallet;

/** Parses a BIP-32 extended public key. Undefined if it is invalid or a private key. */
export function readEvmKey(extendedKey: string): EvmKey | undefined {
  try {
    const node = HDNodeWallet.fromExtendedKey(extendedKey);
    // The library accepts a wrong checksum; nobody has the keys of such addresses.
    return node instanceof HDNodeVoidWallet && node.extendedKey === extendedKey ? node : undefined;
  } catch {
    return undefined;
  }
}

/** The checksummed address of the child `0/index`. Source: BIP-32, public derivation; BIP-44, external chain; EIP-55 */
export function evmAddress(key: EvmKey, index: number): string {
  return key.deriveChild(0).deriveChild(index).address;
}
