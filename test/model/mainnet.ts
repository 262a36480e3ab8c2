import { type Hex, toEventSelector } from 'viem';

export interface Contract {
  readonly chainId: number;
  readonly address: Hex;
}

export interface Deployment {
  readonly registry: Contract;
  readonly accountMetadata: Contract;
  readonly records: readonly Contract[];
}

/** Not imported from src, so that a wrong address there fails a test. */
export const MAINNET = {
  registry: { chainId: 8453, address: '0x0e688f5dca4a0a4729946acbc44c792341714e08' },
  accountMetadata: { chainId: 8453, address: '0x5289fe5dabc021d02fddf23d4a4df96f4e0f17ef' },
  records: [
    { chainId: 8453, address: '0x41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33' },
    { chainId: 10, address: '0x4ca00413d850dcfa3516e14d21dae2772f2acb85' },
    { chainId: 1, address: '0x5289fe5dabc021d02fddf23d4a4df96f4e0f17ef' },
  ],
} as const satisfies Deployment;

export const TOPICS = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  location: toEventSelector('UpdateListStorageLocation(uint256,bytes)'),
  accountMetadata: toEventSelector('UpdateAccountMetadata(address,string,bytes)'),
  listOp: toEventSelector('ListOp(uint256,bytes)'),
  listMetadata: toEventSelector('UpdateListMetadata(uint256,string,bytes)'),
};

export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';
