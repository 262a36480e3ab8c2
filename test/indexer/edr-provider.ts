import {
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1ProviderFactory,
  MineOrdering,
  OSAKA,
  type Provider,
  SpecId,
} from '@nomicfoundation/edr';

const BLOCK_GAS_LIMIT = 1_000_000_000n;
const TRANSACTION_GAS_LIMIT = 50_000_000n;
/** Seconds. Each block adds one at least, so a chain that starts now would get ahead of the clock. */
const HEAD_START = 600;

let context: Promise<EdrContext> | undefined;

/** EDR allows one context per process. */
async function createContext(): Promise<EdrContext> {
  const created = new EdrContext();
  await created.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory());
  return created;
}

/** An EVM with an empty chain in this process. It mines on request only. Gas costs nothing, so no account needs ether. */
export async function createEdrProvider(chainId: number): Promise<Provider> {
  context ??= createContext();
  return (await context).createProvider(
    L1_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: false,
      allowUnlimitedContractSize: true,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      chainId: BigInt(chainId),
      coinbase: new Uint8Array(20),
      defaultTransactionGasLimit: TRANSACTION_GAS_LIMIT,
      genesisState: l1GenesisState(SpecId.Osaka),
      hardfork: OSAKA,
      initialBaseFeePerGas: 0n,
      initialParentBeaconBlockRoot: new Uint8Array(32),
      minGasPrice: 0n,
      mining: { autoMine: false, blockGasLimit: BLOCK_GAS_LIMIT, memPool: { order: MineOrdering.Fifo } },
      network: {
        genesisBlockGasLimit: BLOCK_GAS_LIMIT,
        genesisBlockTime: BigInt(Math.floor(Date.now() / 1000) - HEAD_START),
      },
      networkId: BigInt(chainId),
      observability: {},
      ownedAccounts: [],
      precompileOverrides: [],
      transactionGasCap: false,
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined },
    { subscriptionCallback: () => undefined },
    new ContractDecoder(),
  );
}
