import { Deed } from '../account/deed.tsx';
import { accountPath } from '../components/account-link.tsx';
import { Avatar } from '../components/avatar.tsx';
import { formatAge, formatDateTime, shortAddress } from '../components/format.ts';
import { Name } from '../components/name.tsx';
import { RelationToMe } from '../me/relation-to-me.tsx';
import type { ListOp } from './feed-events.ts';

interface Props {
  readonly event: ListOp;
  /** The name of the account that it was done to; undefined while it is unknown. */
  readonly target: string | undefined;
}

const ACTIONS: Partial<Record<ListOp['type'], string>> = {
  block: 'tag',
  mute: 'tag',
  unblock: 'untag',
  unmute: 'untag',
};

/** Who did what to whom, and when. */
export function FeedRow({ event, target }: Props) {
  const { type, account, name, avatar, time } = event;
  const other = { address: event.target, name: target };
  return (
    <li class="feed-row">
      <Avatar address={account} src={avatar} />
      <div>
        <a class="feed-account" href={accountPath({ address: account, name })}>
          <Name name={name || shortAddress(account)} />
        </a>{' '}
        <RelationToMe address={account} />
        <Deed
          action={ACTIONS[type] ?? type}
          tag={'tag' in event ? event.tag : ''}
          other={target || shortAddress(event.target)}
          href={accountPath(other)}
        />
      </div>
      <time dateTime={time} title={formatDateTime(time)}>
        {formatAge(time)}
      </time>
    </li>
  );
}
