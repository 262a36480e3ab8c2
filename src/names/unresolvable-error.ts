import { RemoteError } from '../remote/remote-error.ts';

/** The source works, but cannot resolve this name: its resolver reverts, or its gateway fails. */
export class UnresolvableError extends RemoteError {
  override name = 'UnresolvableError';
}
