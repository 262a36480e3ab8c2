import { encodeFunctionData, parseAbi } from 'viem';
import { UNIVERSAL_RESOLVER } from '../../../src/names/ens/universal-resolver.ts';
import { type Handler, reply, startGateway } from '../../../test/names/ens/gateway-server.ts';
import type { HostileCase } from './case.ts';
import { attackOf, BATCH_GATEWAY, evilRecords, fetchEvil, offchainLookup, revert } from './resolver.ts';
import { ALTERED, startService } from './service.ts';

const batchAbi = parseAbi(['function query((address sender, string[] urls, bytes data)[] questions)']);

/** Just below the limit of an answer. */
const LARGE = JSON.stringify({ data: `0x${'ab'.repeat(520_000)}` });

/** Sends more for as long as it is read. */
const endless: Handler = (_request, response) => {
  const more = () => {
    while (!response.destroyed && response.write('ab'.repeat(32_768)));
  };
  response.writeHead(200, { 'content-type': 'application/json' }).on('drain', more);
  more();
};

/** A gateway that is asked `questions` times for one name. */
const gatewayCase = (name: string, questions: number, handler: Handler): HostileCase => ({
  name: `gateway: ${name}`,
  async prepare(setting) {
    const gateway = await startGateway(handler);
    setting.defer(gateway.stop);
    const env = { ...ALTERED, DRILL_LOOPBACK_IS_PUBLIC: '1', NAME_REQUESTS_PER_SECOND: '0' };
    const service = await startService(setting, { env });
    const question = { sender: UNIVERSAL_RESOLVER, urls: [`${gateway.origin}/{data}`], data: '0x' } as const;
    const batch = encodeFunctionData({ abi: batchAbi, args: [Array.from({ length: questions }, () => question)] });
    const attack = attackOf(service, () => {
      service.hostile.ens = evilRecords(() => revert(offchainLookup([BATCH_GATEWAY], batch)));
      return fetchEvil(service);
    });
    return { ...attack, outcome: { 'the gateway was asked': () => gateway.requests.length > 0 } };
  },
});

export const gatewayCases: readonly HostileCase[] = [
  gatewayCase('128 answers of 1 MB for one name', 128, reply(200, LARGE)),
  gatewayCase('16 answers without end for one name', 16, endless),
];
