import { HDNodeVoidWallet, HDNodeWallet } from 'ethers';

/** A key from which addresses are derived and nothing can be spent. */
export type EvmKey = HDNodeVoidWallet;

/** Reads a BIP-32 extended public key; undefined when it is none, also when it is a private one, which has no place here. */
export function readEvmKey(extendedKey: string): EvmKey | undefined {
  try {
    const node = HDNodeWallet.fromExtendedKey(extendedKey);
    // The library lets a wrong checksum pass; nobody would hold the keys of such addresses.
    return node instanceof HDNodeVoidWallet && node.extendedKey === extendedKey ? node : undefined;
  } catch {
    return undefined;
  }
}

/** The checksummed address of the child `0/index`. Source: BIP-32, public derivation; BIP-44, external chain; EIP-55 */
export function evmAddress(key: EvmKey, index: number): string {
  return key.deriveChild(0).deriveChild(index).address;
}
