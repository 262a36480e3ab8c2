import { useRoute } from 'preact-iso';
import '../styles/account-page.css';
import { Badges } from '../account/badges.tsx';
import { CommonFollowers } from '../account/common-followers.tsx';
import { Edges } from '../account/edges.tsx';
import { Graph } from '../account/graph/graph.tsx';
import { Notifications } from '../account/notifications.tsx';
import { ProfileHeader } from '../account/profile-header.tsx';
import { describeError, isNotFound, isWrongInput } from '../api/request.ts';
import { lookupOf, type Subject } from '../api/subject.ts';
import { useRequest } from '../api/use-request.ts';
import { shortAddress } from '../components/format.ts';
import { Problem } from '../components/problem.tsx';
import { useTitle } from '../components/use-title.ts';
import { useLoading } from '../network/loading.ts';

export function AccountPage() {
  const { id = '' } = useRoute().params;
  // The key resets the filters of the panels for another account.
  return <SubjectPage key={id} subject={{ kind: 'account', id }} />;
}

export function ListPage() {
  // The service accepts leading zeros, and answers without them.
  const id = (useRoute().params.id ?? '').replace(/^0+(?=\d)/, '');
  return <SubjectPage key={id} subject={{ kind: 'list', id }} />;
}

function SubjectPage({ subject }: { readonly subject: Subject }) {
  const { data, error, reload } = useRequest(lookupOf(subject, 'details', {}));
  // Two panels show it.
  const stats = useRequest(data === undefined ? null : lookupOf(subject, 'stats', {}));
  useTitle(data?.ens.name || subject.id);
  if (data === undefined && error !== undefined) return <Unknown subject={subject} error={error} retry={reload} />;
  if (data === undefined) return <div class="page-placeholder" role="status" aria-label="Loading" />;
  const { address, ens } = data;
  const about = { address, name: ens.name || shortAddress(address) };
  return (
    <div class="account-page">
      {error !== undefined && <Problem error={error} retry={reload} />}
      <ProfileHeader subject={subject} details={data} stats={stats} />
      <div class="columns">
        <div class="column">
          <Graph {...about} />
          <Badges subject={subject} />
          <CommonFollowers {...about} />
          <Notifications {...about} />
        </div>
        <div class="column">
          <Edges subject={subject} stats={stats.data} />
        </div>
      </div>
    </div>
  );
}

interface UnknownProps {
  readonly subject: Subject;
  readonly error: Error;
  readonly retry: () => void;
}

function Unknown({ subject, error, retry }: UnknownProps) {
  const loading = useLoading();
  return (
    <div class="message">
      <h1>{subject.kind === 'list' ? `List ${subject.id}` : <bdi>{subject.id}</bdi>}</h1>
      {isWrongInput(error) ? (
        <>
          <p role="alert">{loading && isNotFound(error) ? `Not found so far. ${loading}` : describeError(error)}</p>
          <p>
            Search for another name, address or list number, or look at the <a href="/leaderboard">leaderboard</a>.
          </p>
        </>
      ) : (
        <Problem error={error} retry={retry} />
      )}
    </div>
  );
}
