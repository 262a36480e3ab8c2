import type { ComponentChildren } from 'preact';
import { batch, lookup, type ResponseOf } from '../api/request.ts';
import { useRequest } from '../api/use-request.ts';
import { AccountLink } from '../components/account-link.tsx';
import { explorerOf } from '../components/block-explorers.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { formatDateTime } from '../components/format.ts';
import { Panel } from '../components/panel.tsx';
import { Problem } from '../components/problem.tsx';
import { chainName } from '../network/freshness.ts';
import { PrimaryState } from './primary-state.tsx';

export type List = ResponseOf<'/lists/{token_id}'>;
export type Account = NonNullable<ResponseOf<'/accounts'>[number]>;

/** What a list is: its accounts, its place, and whether it is a primary list. */
export function ListFacts({ list }: { readonly list: List }) {
  const { owner, manager, user, minted_to, minted_at, storage_location } = list;
  const addresses = [...new Set([user, owner, manager, minted_to].filter((address) => address !== ''))];
  const request = batch('/accounts', {}, addresses);
  const { data, error, reload } = useRequest(request);
  const accounts = new Map(data?.flatMap((account) => (account === null ? [] : [[account.address, account]])));
  const roles = [
    { label: 'User', address: user, meaning: 'the account that the list speaks for' },
    { label: 'Manager', address: manager, meaning: 'may change the records' },
    { label: 'Owner', address: owner, meaning: 'has the token' },
    { label: 'Minted to', address: minted_to, meaning: formatDateTime(minted_at) },
  ];
  return (
    <Panel title="About the list" requests={[lookup('/lists/{token_id}', { token_id: list.token_id }), request]}>
      <PrimaryState list={list} user={accounts.get(user)} />
      {error !== undefined && <Problem error={error} retry={reload} />}
      <dl class="list-facts">
        {roles.map(({ label, address, meaning }) => (
          <Fact key={label} label={label} meaning={meaning}>
            {address === '' ? (
              'None'
            ) : (
              <AccountLink
                address={address}
                name={accounts.get(address)?.name}
                avatar={accounts.get(address)?.avatar}
              />
            )}
          </Fact>
        ))}
        {storage_location !== null && <Location location={storage_location} />}
      </dl>
    </Panel>
  );
}

function Location({ location }: { readonly location: NonNullable<List['storage_location']> }) {
  const { chain_id, contract, slot } = location;
  const explorer = explorerOf(chain_id, contract);
  const hex = `0x${BigInt(slot).toString(16).padStart(64, '0')}`;
  return (
    <>
      <Fact label="Chain" meaning={`chain id ${chain_id}`}>
        {chainName(Number(chain_id))}
      </Fact>
      <Fact label="Contract" meaning="stores the records">
        <span class="address">{contract}</span>
        {explorer !== null && (
          <a href={explorer.url} target="_blank" rel="noopener noreferrer">
            {explorer.label}
          </a>
        )}
      </Fact>
      <Fact label="Slot" meaning="of the contract" isWide>
        <span class="address">{hex}</span>
        <CopyButton text={hex} label="Copy slot" />
      </Fact>
    </>
  );
}

interface FactProps {
  readonly label: string;
  readonly meaning: string;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

function Fact({ label, meaning, isWide = false, children }: FactProps) {
  return (
    <div class={isWide ? 'wide' : ''}>
      <dt>
        {label} <span>{meaning}</span>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
