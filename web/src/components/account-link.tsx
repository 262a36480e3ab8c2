import { RelationToMe } from '../me/relation-to-me.tsx';
import { Avatar } from './avatar.tsx';
import { shortAddress } from './format.ts';
import { Name } from './name.tsx';

export interface AccountSummary {
  readonly address: string;
  readonly name?: string | null | undefined;
  readonly avatar?: string | null | undefined;
}

/** Picture and name of an account and how it relates to the visitor, as a link to its page. */
export function AccountLink({ address, name, avatar }: AccountSummary) {
  return (
    <a class="account-link" href={accountPath({ address, name })}>
      <Avatar address={address} src={avatar} />
      <span class="account-name">
        {name && <Name name={name} />}
        <span class="account-line">
          {name ? <span class="address">{shortAddress(address)}</span> : <Name name={shortAddress(address)} />}
          <RelationToMe address={address} />
        </span>
      </span>
    </a>
  );
}

export function accountPath({ address, name }: Pick<AccountSummary, 'address' | 'name'>): string {
  return `/account/${encodeURIComponent(name || address)}`;
}
