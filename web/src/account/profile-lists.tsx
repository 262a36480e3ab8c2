interface Props {
  readonly primary: string;
  /** Undefined while unknown. */
  readonly lists: readonly string[] | undefined;
}

const SHOWN = 12;

/** The lists of an account, as links to their pages. */
export function ProfileLists({ primary, lists }: Props) {
  const known = lists ?? [primary].filter(Boolean);
  const ordered = known.toSorted((a, b) => Number(b === primary) - Number(a === primary));
  const shown = ordered.slice(0, SHOWN);
  const rest = ordered.slice(SHOWN);
  if (ordered.length === 0) return <p class="profile-lists">{lists !== undefined && 'No list'}</p>;
  const link = (id: string) => (
    <a key={id} class="profile-list" href={`/list/${id}`}>
      List #{id}
      {id === primary && <span class="profile-primary">primary</span>}
    </a>
  );
  return (
    <div class="profile-lists">
      {shown.map(link)}
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more lists</summary>
          <div class="profile-lists">{rest.map(link)}</div>
        </details>
      )}
    </div>
  );
}
