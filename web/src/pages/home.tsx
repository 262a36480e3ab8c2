import '../styles/home.css';
import { discover, graphStats, rankedLeaderboard } from '../api/graph-requests.ts';
import { lookup } from '../api/request.ts';
import { useRequest } from '../api/use-request.ts';
import { accountPath } from '../components/account-link.tsx';
import { Name } from '../components/name.tsx';
import { Panel } from '../components/panel.tsx';
import { RequestView } from '../components/request-view.tsx';
import { useTitle } from '../components/use-title.ts';
import { Constellation } from '../home/constellation.tsx';
import { LatestFollowed, TopAccounts } from '../home/lists.tsx';
import { GraphNumbers } from '../leaderboard/graph-numbers.tsx';
import type { Member } from '../leaderboard/order.ts';
import { Feed } from '../live/feed.tsx';
import { SearchBox } from '../search/search-box.tsx';

const PLACES = 5;
const TILES = 10;
const EVENTS = 11;

export function Home() {
  useTitle('');
  const top = rankedLeaderboard({ sort: 'followers', direction: 'desc', limit: PLACES });
  const latest = discover({ limit: TILES });
  const topAccounts = useRequest(top);
  const latestFollowed = useRequest(latest);
  const members = topAccounts.data?.results ?? [];
  return (
    <div class="home">
      <section class="hero" aria-labelledby="hero-title">
        <Constellation />
        <h1 id="hero-title">Who follows whom on Ethereum</h1>
        <p class="lead">
          Kith reads the Ethereum Follow Protocol from its chains and serves the social graph as an open, self-hosted
          API.
        </p>
        <SearchBox isLarge />
        <Examples members={members} />
      </section>
      <GraphNumbers />
      <div class="home-columns">
        <Feed title="Happening now" count={EVENTS} />
        <div class="column">
          <Panel
            title="Most followed"
            requests={[top]}
            controls={<a href="/leaderboard?sort=followers">All by followers</a>}
          >
            <TopAccounts loaded={topAccounts} length={PLACES} />
          </Panel>
          <Panel title="Latest followed" requests={[latest]}>
            <LatestFollowed loaded={latestFollowed} length={TILES} />
          </Panel>
        </div>
      </div>
      <UseTheApi member={members[0]} />
    </div>
  );
}

/** Accounts that surely have something to show. */
function Examples({ members }: { readonly members: readonly Member[] }) {
  const named = members.filter(({ name }) => name !== '').slice(0, 3);
  return (
    <p class="examples">
      {named.length > 0 && <span class="soft">For example</span>}
      {named.map((member) => (
        <a key={member.address} class="chip" href={accountPath(member)}>
          <Name name={member.name} />
        </a>
      ))}
    </p>
  );
}

function UseTheApi({ member }: { readonly member: Member | undefined }) {
  const example = member
    ? lookup('/users/{addressOrENS}/details', { addressOrENS: member.name || member.address })
    : graphStats();
  return (
    <section class="panel use-api" aria-labelledby="use-api">
      <div>
        <h2 id="use-api">Use the API</h2>
        <p>
          No key, no account: every lookup is a GET request that answers with JSON. This page is made of the same
          lookups; <span class="code">{'{ }'}</span> on a panel shows them.
        </p>
        <p class="use-api-links">
          <a href="/docs">API reference</a>
          <a href="/openapi.json">OpenAPI document</a>
          <a href="/leaderboard">Leaderboard</a>
        </p>
      </div>
      <RequestView request={example} />
    </section>
  );
}
