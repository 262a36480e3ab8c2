import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  FollowButton,
  FollowersAndFollowing,
  FollowersYouKnow,
  FullWidthProfile,
  Notifications,
  ProfileCard,
  TransactionProvider,
  useTransactions,
} from 'ethereum-identity-kit';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { createConfig, http, useAccount, useConnect, WagmiProvider } from 'wagmi';
import { base, mainnet, optimism } from 'wagmi/chains';
import { mock } from 'wagmi/connectors';

/** The view, whom it shows and whose wallet is connected, from the query of the page's own URL. */
const query = new URLSearchParams(location.search);
const user = query.get('user');
const wallet = query.get('wallet');
const buttons = query.getAll('button');

function ProfileView({ connectedAddress }) {
  const { selectedList } = useTransactions();
  const visitor = { connectedAddress, selectedList };
  const profile = { ...visitor, addressOrName: user, showFollowButton: true, showFollowerState: true };
  return (
    <>
      <section id="card">
        <ProfileCard {...profile} showPoaps={true} />
      </section>
      <section id="full">
        <FullWidthProfile {...profile} />
      </section>
      <section id="buttons">
        {buttons.map((address) => (
          <FollowButton key={address} lookupAddress={address} {...visitor} />
        ))}
      </section>
      <section id="known">
        {connectedAddress && <FollowersYouKnow {...visitor} lookupAddressOrName={user} hasModal={true} />}
      </section>
      <section id="notifications">
        <Notifications addressOrName={user} position="top" align="right" />
      </section>
    </>
  );
}

function ListsView({ connectedAddress }) {
  return (
    <FollowersAndFollowing
      user={user}
      defaultTab="followers"
      connectedAddress={connectedAddress}
      isConnectedUserProfile={query.has('own')}
      showRecommendations={true}
    />
  );
}

function BlockedView({ connectedAddress }) {
  return (
    <FollowersAndFollowing
      user={user}
      defaultTab="following"
      connectedAddress={connectedAddress}
      isConnectedUserProfile={query.has('own')}
      showOnlyBlocked={true}
    />
  );
}

const VIEWS = { profile: ProfileView, lists: ListsView, blocked: BlockedView };

function Page() {
  const { address } = useAccount();
  const { connect, connectors } = useConnect();
  useEffect(() => {
    if (wallet !== null) connect({ connector: connectors[0] });
  }, [connect, connectors]);
  const View = VIEWS[query.get('view')];
  return wallet === null || address !== undefined ? <View connectedAddress={address} /> : null;
}

const config = createConfig({
  chains: [base, optimism, mainnet],
  connectors: wallet === null ? [] : [mock({ accounts: [wallet] })],
  transports: { [base.id]: http(), [optimism.id]: http(), [mainnet.id]: http() },
});

createRoot(document.getElementById('root')).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <TransactionProvider>
        <Page />
      </TransactionProvider>
    </QueryClientProvider>
  </WagmiProvider>,
);
