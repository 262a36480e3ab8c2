import { Avatar } from './avatar.tsx';
import { shortAddress } from './format.ts';
import { Name } from './name.tsx';

export interface AccountSummary {
  readonly address: string;
  readonly name?: string | null | undefined;
  readonly avatar?: string | null | undefined;
}

/** Picture and name of an account, as a link to its page. */
export function AccountLink({ address, name, avatar }: AccountSummary) {
  return (
    <a class="account-link" href={accountPath({ address, name })}>
      <Avatar address={address} src={avatar} />
      <span class="account-name">
        <Name name={name || shortAddress(address)} />
        {name && <span class="address">{shortAddress(address)}</span>}
      </span>
    </a>
  );
}

export function accountPath({ address, name }: Pick<AccountSummary, 'address' | 'name'>): string {
  return `/account/${encodeURIComponent(name || address)}`;
}
