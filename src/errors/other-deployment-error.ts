import { OperatorError } from './operator-error.ts';

/** The logs of the database are from other contracts than those of the configured deployment. */
export class OtherDeploymentError extends OperatorError {
  override name = 'OtherDeploymentError';
  readonly code = 'E_OTHER_DEPLOYMENT';

  constructor(chainId: number, deployment: string) {
    super(
      `DEPLOYMENT: the logs of the database are from other contracts on chain ${chainId} than those of the deployment ${deployment}; use the former deployment, or another database`,
    );
  }
}
