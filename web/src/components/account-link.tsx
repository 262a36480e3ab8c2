import { RelationToMe } from '../me/relation-to-me.tsx';
import { Avatar } from './avatar.tsx';
import { isolate, shortAddress } from './format.ts';
import { Name } from './name.tsx';

export interface AccountSummary {
  readonly address: string;
  readonly name?: string | null | undefined;
  readonly avatar?: string | null | undefined;
}

/** Without a pointer that hovers, a button shows the card of an account: a tap follows the link. */
const isTouch = matchMedia('(hover: none)').matches;

/** Picture and name of an account and how it relates to the visitor, as a link to its page. */
export function AccountLink({ address, name, avatar }: AccountSummary) {
  const link = (
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
  if (!isTouch) return link;
  return (
    <span class="account">
      {link}
      <button type="button" class="quiet card-toggle" aria-label={`About ${isolate(name || shortAddress(address))}`}>
        <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true">
          <circle cx="12" cy="12" r="9" />
          <path d="M12 11v6M12 7v1.5" />
        </svg>
      </button>
    </span>
  );
}

export function accountPath({ address, name }: Pick<AccountSummary, 'address' | 'name'>): string {
  return `/account/${encodeURIComponent(name || address)}`;
}
