import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { SearchBox } from './search/search-box.tsx';

const LINKS = [
  { path: '/leaderboard', label: 'Leaderboard' },
  { path: '/network', label: 'Network' },
];

/** What all pages share: navigation, search and the footer. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation();
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href="/" aria-label="Kith, start page">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <path d="M9 22 16 9l7 13z" />
            <circle cx="9" cy="22" r="3.6" />
            <circle cx="23" cy="22" r="3.6" />
            <circle class="brand-accent" cx="16" cy="9" r="3.6" />
          </svg>
          <span>Kith</span>
        </a>
        <SearchBox />
        <nav aria-label="Pages">
          {LINKS.map((link) => (
            <a key={link.path} href={link.path} aria-current={path === link.path ? 'page' : undefined}>
              {link.label}
            </a>
          ))}
          <a href="/docs">API</a>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer class="bottom">
        <p>
          Data of the <a href="https://docs.efp.app">Ethereum Follow Protocol</a>, read from its logs. This page uses
          the same <a href="/docs">API</a> as everyone: <span class="code">{'{ }'}</span> shows the request behind a
          panel.
        </p>
      </footer>
    </>
  );
}
