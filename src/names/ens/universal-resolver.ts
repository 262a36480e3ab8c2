import { parseAbi } from 'viem';

/** A proxy maintained by ENS, at the same address on Ethereum and Sepolia. */
export const UNIVERSAL_RESOLVER = '0xeeeeeeee14d718c2b47d9923deab1335e144eeee';

/** Makes viem call each gateway itself, instead of a third-party batch gateway. */
export const GATEWAYS = ['x-batch-gateway:true'];

export const universalResolverAbi = parseAbi([
  'function reverseWithGateways(bytes lookupAddress, uint256 coinType, string[] gateways) view returns (string primary, address resolver, address reverseResolver)',
  'function resolveWithGateways(bytes name, bytes data, string[] gateways) view returns (bytes result, address resolver)',
  'error DNSDecodingFailed(bytes dns)',
  'error DNSEncodingFailed(string ens)',
  'error EmptyAddress()',
  'error HttpError(uint16 status, string message)',
  'error InvalidBatchGatewayResponse()',
  'error ResolverError(bytes errorData)',
  'error ResolverNotContract(bytes name, address resolver)',
  'error ResolverNotFound(bytes name)',
  'error ReverseAddressMismatch(string primary, bytes primaryAddress)',
  'error UnsupportedResolverProfile(bytes4 selector)',
  // Errors of resolvers, which the Universal Resolver wraps in ResolverError.
  'error CouldNotResolve(bytes name)',
  'error NotImplemented()',
  'error UnreachableName(bytes name)',
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
  'error Error(string message)',
  'error Panic(uint256 code)',
]);

/** Functions of the resolver of a name, called through the Universal Resolver. */
export const multicallAbi = parseAbi(['function multicall(bytes[] calls) view returns (bytes[] results)']);
export const textAbi = parseAbi(['function text(bytes32 node, string key) view returns (string value)']);
export const addressAbi = parseAbi(['function addr(bytes32 node) view returns (address account)']);
export const coinAddressAbi = parseAbi(['function addr(bytes32 node, uint256 coinType) view returns (bytes value)']);
export const contenthashAbi = parseAbi(['function contenthash(bytes32 node) view returns (bytes value)']);
