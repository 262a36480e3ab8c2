import type { Account, List } from './list-facts.tsx';

interface Props {
  readonly list: List;
  /** Of the list; undefined until it is loaded, and if the list has none. */
  readonly user: Account | undefined;
}

/** Whether the list counts as a primary list, and why not. */
export function PrimaryState({ list, user }: Props) {
  return (
    <p class="primary-state">
      <span class="chip" data-kind={list.is_primary_list ? 'good' : 'warm'}>
        {list.is_primary_list ? 'Primary list' : 'Not a primary list'}
      </span>{' '}
      {list.is_primary_list
        ? 'Its user has set it as its primary list, and its slot names that user: its records count as what the user follows.'
        : faultOf(list, user)}
    </p>
  );
}

function faultOf({ primary_list_fault }: List, user: Account | undefined) {
  switch (primary_list_fault) {
    case 'no-storage-location':
      return 'The token has no storage location, or one that is not valid, so the list has no records.';
    case 'slot-without-user':
      return 'The metadata “user” of its slot is not set, so its records count for no account.';
    case 'no-primary-list':
      return 'Its user has not set the account metadata “primary-list”, or has cleared it, so its records do not count.';
    case 'other-primary-list':
      return (
        <>
          The account metadata “primary-list” of its user names{' '}
          {user?.primary_list ? <a href={`/list/${user.primary_list}`}>list #{user.primary_list}</a> : 'another list'},
          so the records of this one do not count.
        </>
      );
    default:
      return null;
  }
}
