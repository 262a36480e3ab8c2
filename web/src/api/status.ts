import { lookup, type Request, type ResponseOf } from './request.ts';

export type Status = ResponseOf<'/status'>;
export type ChainStatus = Status['chains'][number];
export type ChainFault = Status['faults'][number];

/** The status of the service, which is not a lookup and is never cached. */
export const status = (): Request<Status> => lookup('/status', {});
