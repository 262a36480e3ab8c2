import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import './styles/shell.css';
import { HoverCards } from './cards/hover-cards.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import { OutageNote } from './live/outage-note.tsx';
import { MeMenu } from './me/me-menu.tsx';
import { DemoMark, useIsDemo } from './network/demo-mark.tsx';
import { FreshnessDot, FreshnessNote } from './network/freshness-note.tsx';
import { LoadingNote } from './network/loading-note.tsx';
import { SearchBox } from './search/search-box.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** What all pages share: navigation, search and the footer. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation();
  const main = useFocusOnNavigation(path);
  const linkTo = (to: string) => ({ href: to, 'aria-current': path === to ? ('page' as const) : undefined });
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <header class="top">
        <div class="brand-line">
          <a class="brand" href="/" aria-label="Kith, start page">
            <svg viewBox="0 0 32 32" aria-hidden="true">
              <path d="M9 22 16 9l7 13z" />
              <circle cx="9" cy="22" r="3.6" />
              <circle cx="23" cy="22" r="3.6" />
              <circle class="brand-accent" cx="16" cy="9" r="3.6" />
            </svg>
            <span>Kith</span>
          </a>
          <DemoMark />
        </div>
        {/* The home page has its own, larger one. */}
        {path !== '/' && <SearchBox />}
        <div class="pages">
          <nav aria-label="Pages">
            <a {...linkTo('/leaderboard')}>Leaderboard</a>
            <a {...linkTo('/network')}>
              Network <FreshnessDot />
            </a>
            <a href="/docs">API</a>
          </nav>
          <MeMenu />
          <ThemeSwitch />
        </div>
      </header>
      <LoadingNote />
      <OutageNote />
      <main id="main" tabIndex={-1} ref={main}>
        {children}
      </main>
      <footer class="bottom">
        <div>
          <p>
            <Origin /> This page uses the same <a href="/docs">API</a> as everyone: <span class="code">{'{ }'}</span>{' '}
            shows the request behind a panel.
          </p>
          <KeyboardHelp />
          <FreshnessNote />
        </div>
      </footer>
      <TitleAnnouncer />
      <HoverCards />
    </>
  );
}

function Origin() {
  const protocol = <a href="https://docs.efp.app">Ethereum Follow Protocol</a>;
  return useIsDemo() ? (
    <>Generated data in the form of the {protocol}: no account is real.</>
  ) : (
    <>Data of the {protocol}, read from its logs.</>
  );
}

/** Without this, the keyboard and screen readers stay on a link that may be gone. */
function useFocusOnNavigation(path: string) {
  const main = useRef<HTMLElement>(null);
  const previous = useRef(path);
  useEffect(() => {
    if (previous.current === path) return;
    previous.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}

/** Says the new title after a navigation, as a browser does when it loads a page. */
function TitleAnnouncer() {
  const [title, setTitle] = useState('');
  useEffect(() => {
    const first = location.href;
    let hasLeft = false;
    const observer = new MutationObserver(() => {
      // The browser reads the title of the first page.
      hasLeft ||= location.href !== first;
      if (hasLeft) setTitle(document.title);
    });
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, []);
  return (
    <p class="visually-hidden" aria-live="polite">
      {title}
    </p>
  );
}
