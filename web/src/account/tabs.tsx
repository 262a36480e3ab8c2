export const TABS = [
  { value: 'overview', label: 'Overview' },
  { value: 'followers', label: 'Followers' },
  { value: 'following', label: 'Following' },
  { value: 'mutuals', label: 'Mutuals' },
  { value: 'activity', label: 'Activity' },
  { value: 'graph', label: 'Graph' },
] as const;

export type Tab = (typeof TABS)[number]['value'];

/** The path of a tab of an account, by name or address. */
export function tabPath(id: string, tab: Tab): string {
  return `/account/${encodeURIComponent(id)}${tab === 'overview' ? '' : `/${tab}`}`;
}

interface Props {
  readonly id: string;
  readonly current: Tab;
}

export function Tabs({ id, current }: Props) {
  return (
    <nav class="tabs" aria-label="Account">
      {TABS.map(({ value, label }) => (
        <a key={value} href={tabPath(id, value)} aria-current={value === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
