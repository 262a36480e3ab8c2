import type { Details } from '../api/subject.ts';
import { Connection } from '../me/connection.tsx';
import { About } from './about.tsx';
import { Badges } from './badges.tsx';
import { CommonFollowers } from './common-followers.tsx';
import { History } from './history.tsx';
import { LatestFollowers } from './latest-followers.tsx';
import { Suggested } from './suggested.tsx';
import { isUnconnected, Unconnected } from './unconnected.tsx';

interface Props {
  readonly id: string;
  /** Of the account, or its short address. */
  readonly name: string;
  /** Undefined until they are loaded. */
  readonly details: Details | undefined;
}

export function Overview({ id, name, details }: Props) {
  if (isUnconnected(details)) {
    return (
      <>
        <Unconnected />
        <About details={details} />
      </>
    );
  }
  return (
    <div class="columns">
      <div class="column">
        <About details={details} />
        {details !== undefined && <History address={details.address} />}
        <Badges id={id} />
      </div>
      <div class="column">
        {details !== undefined && <Connection address={details.address} name={name} />}
        <LatestFollowers id={id} />
        {details !== undefined && (
          <Suggested address={details.address} name={name} following={details.following_count} />
        )}
        {details !== undefined && <CommonFollowers address={details.address} name={name} />}
      </div>
    </div>
  );
}
