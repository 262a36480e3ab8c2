import { useRoute } from 'preact-iso';
import '../styles/account-page.css';
import { Edges } from '../account/edges.tsx';
import { Graph } from '../account/graph/graph.tsx';
import { Notifications } from '../account/notifications.tsx';
import { Overview } from '../account/overview.tsx';
import { ProfileHeader } from '../account/profile-header.tsx';
import { TABS, type Tab } from '../account/tabs.tsx';
import { isUnconnected, Unconnected } from '../account/unconnected.tsx';
import { lookup } from '../api/request.ts';
import type { Details } from '../api/subject.ts';
import { useRequest } from '../api/use-request.ts';
import { isAddress, shortAddress } from '../components/format.ts';
import { Problem, SubjectExists } from '../components/problem.tsx';
import { Unknown } from '../components/unknown.tsx';
import { useTitle } from '../components/use-title.ts';
import { NotFound } from './not-found.tsx';

export function AccountPage() {
  const { id = '', tab } = useRoute().params;
  const known = TABS.find(({ value }) => value === (tab ?? 'overview'));
  // The overview has one path, without a tab.
  if (known === undefined || tab === 'overview') return <NotFound />;
  // The key resets the tabs for another account.
  return <Account key={id} id={id} tab={known.value} label={known.label} />;
}

interface Props {
  readonly id: string;
  readonly tab: Tab;
  readonly label: string;
}

function Account({ id, tab, label }: Props) {
  const request = lookup('/users/{addressOrENS}/details', { addressOrENS: id });
  const { data, error, reload } = useRequest(request);
  const name = data?.ens.name || (isAddress(id) ? shortAddress(id) : id);
  useTitle(tab === 'overview' ? name : `${name}: ${label}`);
  if (data === undefined && error !== undefined) return <Unknown title={id} error={error} retry={reload} />;
  return (
    <div class="account-page">
      {error !== undefined && <Problem error={error} retry={reload} />}
      <SubjectExists.Provider value={data !== undefined}>
        <ProfileHeader id={id} details={data} tab={tab} />
        <TabContent id={id} tab={tab} name={name} details={data} />
      </SubjectExists.Provider>
    </div>
  );
}

interface ContentProps {
  readonly id: string;
  readonly tab: Tab;
  /** Of the account, or its short address. */
  readonly name: string;
  /** Undefined until they are loaded. */
  readonly details: Details | undefined;
}

function TabContent({ id, tab, name, details }: ContentProps) {
  const subject = { kind: 'account', id } as const;
  switch (tab) {
    case 'overview':
      return <Overview id={id} name={name} details={details} />;
    case 'followers':
    case 'following':
    case 'mutuals':
      return <Edges key={tab} subject={subject} tab={tab} name={name} />;
    case 'activity':
      return <Notifications id={id} name={name} details={details} />;
    case 'graph':
      if (isUnconnected(details)) return <Unconnected />;
      return details === undefined ? (
        <div class="page-placeholder" role="status" aria-label="Loading" />
      ) : (
        <Graph address={details.address} name={name} />
      );
  }
}
