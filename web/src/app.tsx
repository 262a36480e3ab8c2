import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { useLoadedParts } from './network/loading.ts';
import { AccountPage } from './pages/account.tsx';
import { Home } from './pages/home.tsx';
import { Leaderboard } from './pages/leaderboard.tsx';
import { ListPage } from './pages/list.tsx';
import { Network } from './pages/network.tsx';
import { NotFound } from './pages/not-found.tsx';
import { Shell } from './shell.tsx';

/** Other paths, such as /docs, are not pages of the explorer. */
const SCOPE = /^\/(?:$|\?|account\/|list\/|leaderboard(?:$|\?)|network$)/;

export function App() {
  return (
    <LocationProvider scope={SCOPE}>
      <Shell>
        <Pages />
      </Shell>
    </LocationProvider>
  );
}

function Pages() {
  const { path } = useLocation();
  const parts = useLoadedParts();
  // The key makes the page anew, with new requests.
  return (
    <ErrorBoundary key={parts} path={path}>
      <Router>
        <Route path="/" component={Home} />
        <Route path="/account/:id/:tab?" component={AccountPage} />
        <Route path="/list/:id" component={ListPage} />
        <Route path="/leaderboard" component={Leaderboard} />
        <Route path="/network" component={Network} />
        <Route default component={NotFound} />
      </Router>
    </ErrorBoundary>
  );
}
