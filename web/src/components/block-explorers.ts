/** The sites that show the addresses of a chain. */
const EXPLORERS: ReadonlyMap<string, { readonly label: string; readonly url: string }> = new Map([
  ['1', { label: 'Etherscan', url: 'https://etherscan.io' }],
  ['10', { label: 'Optimistic Etherscan', url: 'https://optimistic.etherscan.io' }],
  ['8453', { label: 'Basescan', url: 'https://basescan.org' }],
  ['11155111', { label: 'Etherscan (Sepolia)', url: 'https://sepolia.etherscan.io' }],
  ['11155420', { label: 'Optimistic Etherscan (Sepolia)', url: 'https://sepolia-optimism.etherscan.io' }],
  ['84532', { label: 'Basescan (Sepolia)', url: 'https://sepolia.basescan.org' }],
]);

/** The page of an address on the explorer of a chain; null for a chain without a known one. */
export function explorerOf(chainId: string, address: string): { readonly label: string; readonly url: string } | null {
  const explorer = EXPLORERS.get(chainId);
  return explorer === undefined ? null : { label: explorer.label, url: `${explorer.url}/address/${address}` };
}
