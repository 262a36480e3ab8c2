import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useChunk } from '../components/use-chunk.ts';
import '../styles/cards.css';
import { watchAccountLinks } from './watch-account-links.ts';

const ID = 'account-card';
const GAP_PX = 6;
/** With a description on three lines. The card is placed before it is loaded. */
const MAX_HEIGHT_PX = 250;

/** A card about the account whose link is hovered or focused. Its code is loaded with the first one. */
export function HoverCards() {
  const { path } = useLocation();
  const card = useRef<HTMLDivElement>(null);
  const [link, setLink] = useState<HTMLAnchorElement | null>(null);
  const { chunk, error } = useChunk(() => import('./account-card.tsx'), link !== null);
  useEffect(() => watchAccountLinks(setLink), []);
  useEffect(() => setLink(null), [path]);
  useLayoutEffect(() => {
    if (link === null || card.current === null) return;
    const shown = card.current;
    shown.showPopover();
    place(shown, link);
    link.setAttribute('aria-describedby', ID);
    return () => {
      link.removeAttribute('aria-describedby');
      shown.hidePopover();
    };
  }, [link]);
  return (
    // Announced as well, because touch has no focus that it could describe.
    <div ref={card} id={ID} class="account-card" popover="manual" role="tooltip" aria-live="polite">
      {link !== null && error !== undefined && <p>{error.message}</p>}
      {link !== null && chunk !== undefined && (
        <chunk.AccountCard id={decodeURIComponent(link.pathname.split('/')[2] ?? '')} />
      )}
    </div>
  );
}

/** Below the link, or above it if there is more room. It moves with the page. */
function place(card: HTMLElement, link: Element): void {
  const { left, top, bottom } = link.getBoundingClientRect();
  const isAbove = innerHeight - bottom < MAX_HEIGHT_PX && top > innerHeight - bottom;
  // Without the room that is kept for a scroll bar.
  const width = document.body.clientWidth;
  card.style.left = `${scrollX + Math.max(GAP_PX, Math.min(left, width - card.offsetWidth - GAP_PX))}px`;
  card.style.top = `${scrollY + (isAbove ? top - GAP_PX : bottom + GAP_PX)}px`;
  card.dataset.above = `${isAbove}`;
}
